package io.postroad.trace;

import io.postroad.message.TraceContext;
import java.util.Optional;

/**
 * One operation while it is followed. MUST be safe to end on another thread than the one that
 * started it. A crash loses it.
 */
public interface Span {

  /** What is to be stored with what it creates; empty when nobody could go on from there. */
  Optional<TraceContext> context();

  /** Makes it the one in which this thread works, until the scope is closed on this thread. */
  Scope open();

  /** It failed; called at most once, before {@link #end()}. */
  void failed(Throwable failure);

  /** It is over; called once. */
  void end();

  /** While it is open, what the thread begins belongs to the span. */
  interface Scope extends AutoCloseable {
    @Override
    void close();
  }

  /** One that nobody follows. */
  static Span none() {
    return NoTracing.SPAN;
  }
}
