package io.postroad.faults;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Bounded waits for what other processes do. The bounds are generous: they end a hang only. */
final class Eventually {
  private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

  private Eventually() {}

  /** Returns when {@code reached} is true, or fails with what {@code problem} says by then. */
  static void await(Duration atMost, Callable<Boolean> reached, Supplier<String> problem)
      throws Exception {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!reached.call()) {
      if (System.nanoTime() - deadline >= 0) {
        throw new AssertionError("after " + atMost + ": " + problem.get());
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
