package io.postroad.store;

import java.time.Duration;
import java.time.Instant;

/**
 * Messages that are blocked because their destination is paused or down.
 *
 * @param messages how many, counted up to {@link Backlog#COUNT_LIMIT}
 * @param oldest how long the first of them has waited for the destination, at least
 */
public record BlockedDestination(String destination, long messages, Duration oldest) {
  /** The due time that stores return for such a message: it is not due before it is opened. */
  public static final Instant DUE_AT = Instant.parse("9999-01-01T00:00:00Z");

  /** Throws for a limit of {@code open} that no store accepts. */
  public static void checkLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("open limit must be 1 or more, got " + limit);
    }
  }
}
