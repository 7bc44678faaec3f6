package io.postroad.trace;

import java.util.function.Supplier;

/**
 * Creates spans for operations. The module {@code micrometer} contains an implementation.
 *
 * <p>An implementation MUST be thread-safe. It is called inside transactions and on the threads of
 * relays, so it SHOULD return quickly. Its exceptions are logged and change nothing else.
 */
public interface Tracing {

  /** Starts an operation; {@link Span#end()} ends it. */
  Span start(Operation operation);

  /** Returns whether spans are created. If not, Postroad does not call {@link #start}. */
  default boolean isOn() {
    return true;
  }

  /** Returns a tracing that creates no spans. */
  static Tracing none() {
    return NoTracing.INSTANCE;
  }

  /** Wraps a tracing so that its failures are logged and do not reach the caller. */
  static Tracing guarded(Tracing tracing) {
    return tracing instanceof GuardedTracing || !tracing.isOn()
        ? tracing
        : new GuardedTracing(tracing);
  }

  /** The work of an operation. */
  @FunctionalInterface
  interface Work<R, E extends Exception> {
    R run(Span span) throws E;
  }

  /**
   * Runs work on this thread as an operation. An exception of the work marks the operation as
   * failed.
   */
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
