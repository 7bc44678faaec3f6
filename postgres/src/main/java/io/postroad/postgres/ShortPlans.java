package io.postroad.postgres;

import java.time.Duration;

/**
 * Lets the server keep the plan of a statement on a caller's connection, but not for long: one that
 * was made while the table was small is a sequential scan, and the caller's settings are not ours
 * to change. The text changes from time to time, so that the driver has it planned anew; planning
 * it each time would cost more than running it.
 */
final class ShortPlans {
  private static final long KEPT_NANOS = Duration.ofSeconds(20).toNanos();

  private ShortPlans() {}

  static String of(String text) {
    return "/* " + Math.floorDiv(System.nanoTime(), KEPT_NANOS) + " */ " + text;
  }
}
