package io.postroad.servers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits, with a limit, for changes in other processes that send no notice. */
final class Await {
  private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

  private Await() {}

  /** Returns whether {@code reached} turned true in time. */
  static boolean reached(Duration atMost, BooleanSupplier reached) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() - deadline >= 0) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      if (Thread.currentThread().isInterrupted()) {
        throw new ServerException(
            "interrupted while waiting for a process; the interrupt flag is kept");
      }
    }
    return true;
  }

  /** Returns when {@code reached} is true, or fails with what {@code problem} says by then. */
  static void until(Duration atMost, BooleanSupplier reached, Supplier<String> problem) {
    if (!reached(atMost, reached)) {
      throw new ServerException(problem.get());
    }
  }
}
