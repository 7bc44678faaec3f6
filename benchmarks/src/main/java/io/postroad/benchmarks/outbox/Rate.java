package io.postroad.benchmarks.outbox;

import java.time.Duration;

/** Counts per second. */
final class Rate {
  private Rate() {}

  static double of(long count, Duration time) {
    return count * 1e9 / time.toNanos();
  }

  static double since(long beganNanos, long count) {
    return of(count, Duration.ofNanos(System.nanoTime() - beganNanos));
  }
}
