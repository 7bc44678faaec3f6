package io.postroad.mongodb.internal.client;

import io.postroad.spi.hint.Threads;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long and how often something is tried again. Used by one thread. */
public final class Rerun {
  private static final long LONGEST_MILLIS = 100;

  private final long end;
  private int failures;

  public Rerun(Duration within) {
    end = System.nanoTime() + within.toNanos();
  }

  /**
   * Waits a moment, longer each time and never quite as long as others do; false when the time is
   * over or the thread was interrupted.
   */
  public boolean mayGoOn() {
    failures++;
    long most = Math.min(LONGEST_MILLIS, 1L << Math.min(failures, 10));
    Threads.pause(ThreadLocalRandom.current().nextLong(most + 1), () -> false);
    return System.nanoTime() - end < 0 && !Thread.currentThread().isInterrupted();
  }
}
