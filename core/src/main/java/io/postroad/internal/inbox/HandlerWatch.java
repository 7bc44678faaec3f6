package io.postroad.internal.inbox;

import io.postroad.inbox.RetryableFailure;
import io.postroad.internal.loop.Alarms;
import io.postroad.spi.hint.Threads;
import java.time.Duration;

/** Interrupts handlers that do not return in time. Thread-safe. */
public final class HandlerWatch implements AutoCloseable {
  private final Duration longest;
  private final Alarms alarms;

  /** A handler's run. */
  interface Watched<E extends Exception> {
    void run() throws E;
  }

  public HandlerWatch(Duration longest) {
    this.longest = longest;
    this.alarms = new Alarms(work -> Threads.daemon("postroad-handler-watch", work));
  }

  /** Returns the time that a handler may take. */
  Duration longest() {
    return longest;
  }

  /** Runs a handler on this thread, and interrupts the thread if the handler takes too long. */
  <E extends Exception> void run(String handler, Watched<E> work) throws E {
    Alarms.Alarm alarm = alarms.set(longest);
    boolean interrupted;
    try {
      work.run();
    } finally {
      interrupted = alarm.off();
    }
    if (interrupted) {
      throw new RetryableFailure(
          "handler '%s' did not return within %s and was interrupted".formatted(handler, longest));
    }
  }

  @Override
  public void close() {
    alarms.close();
  }
}
