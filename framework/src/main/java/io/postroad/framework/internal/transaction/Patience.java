package io.postroad.framework.internal.transaction;

import io.postroad.spi.hint.Threads;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Waits between attempts, until a limit. Used by one thread. */
final class Patience {
  private static final long LONGEST_MILLIS = 100;

  private final long end;
  private int failures;

  Patience(Duration limit) {
    end = System.nanoTime() + limit.toNanos();
  }

  /** Waits, longer each time; false once the limit is reached or the thread is interrupted. */
  boolean lasts() {
    failures++;
    long most = Math.min(LONGEST_MILLIS, 1L << Math.min(failures, 10));
    Threads.pause(ThreadLocalRandom.current().nextLong(most + 1), () -> false);
    return System.nanoTime() - end < 0 && !Thread.currentThread().isInterrupted();
  }
}
