package io.postroad.micronaut.internal.transaction;

import io.postroad.spi.hint.Threads;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long and how often something is tried again. Used by one thread. */
public final class Patience {
  private static final long LONGEST_MILLIS = 100;

  private final long end;
  private int failures;

  private Patience(Duration within) {
    end = System.nanoTime() + within.toNanos();
  }

  public static Patience of(Duration within) {
    return new Patience(within);
  }

  /** Waits a moment, longer each time; false when the time is over or the thread interrupted. */
  public boolean lasts() {
    failures++;
    long most = Math.min(LONGEST_MILLIS, 1L << Math.min(failures, 10));
    Threads.pause(ThreadLocalRandom.current().nextLong(most + 1), () -> false);
    return System.nanoTime() - end < 0 && !Thread.currentThread().isInterrupted();
  }
}
