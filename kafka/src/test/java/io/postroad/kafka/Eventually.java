package io.postroad.kafka;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Bounded waits for other threads and processes. */
final class Eventually {
  private static final Duration AT_MOST = Duration.ofMinutes(2);

  private Eventually() {}

  static void until(String what, BooleanSupplier reached) {
    until(() -> what, reached);
  }

  static void until(Supplier<String> what, BooleanSupplier reached) {
    long deadline = System.nanoTime() + AT_MOST.toNanos();
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() - deadline >= 0) {
        throw new AssertionError("not within " + AT_MOST + ": " + what.get());
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }
}
