package io.postroad.trace;

import io.postroad.message.TraceContext;
import java.util.Optional;

/**
 * A started operation. An implementation MUST allow another thread than the starting one to end it.
 * A crash loses it.
 */
public interface Span {

  /**
   * Returns the context to store with the message or command that the operation creates; empty if
   * no other span can continue from it.
   */
  Optional<TraceContext> context();

  /** Makes this the current span of the thread, until the thread closes the scope. */
  Scope open();

  /** Records the failure of the operation; called at most once, before {@link #end()}. */
  void failed(Throwable failure);

  /** Ends the operation; called once. */
  void end();

  /** While a scope is open, operations that the thread starts belong to its span. */
  interface Scope extends AutoCloseable {
    @Override
    void close();
  }

  /** Returns a span that records nothing. */
  static Span none() {
    return NoTracing.SPAN;
  }
}
