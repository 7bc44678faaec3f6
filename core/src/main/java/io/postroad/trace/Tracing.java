package io.postroad.trace;

import java.util.function.Supplier;

/**
 * Follows operations. The module {@code micrometer} has one; {@code none()} follows nothing.
 *
 * <p>MUST be safe to use from many threads. It is called inside transactions and on the threads of
 * relays, so it SHOULD return soon. What it throws is logged and changes nothing.
 */
public interface Tracing {

  /** An operation begins; it ends with {@link Span#end()}. */
  Span start(Operation operation);

  /** Whether anything is followed at all; if not, nobody is asked to. */
  default boolean isOn() {
    return true;
  }

  /** Follows nothing. */
  static Tracing none() {
    return NoTracing.INSTANCE;
  }

  /** The same, whose failures are logged and passed on to nobody. */
  static Tracing guarded(Tracing tracing) {
    return tracing instanceof GuardedTracing || !tracing.isOn()
        ? tracing
        : new GuardedTracing(tracing);
  }

  /** What is done while it is followed. */
  @FunctionalInterface
  interface Work<R, E extends Exception> {
    R run(Span span) throws E;
  }

  /** Does something on this thread as an operation, which fails with what it throws. */
  default <R, E extends Exception> R follow(Supplier<Operation> operation, Work<R, E> work)
      throws E {
    if (!isOn()) {
      return work.run(Span.none());
    }
    Span span = start(operation.get());
    try (Span.Scope unused = span.open()) {
      return work.run(span);
    } catch (Throwable failed) {
      span.failed(failed);
      throw failed;
    } finally {
      span.end();
    }
  }
}
