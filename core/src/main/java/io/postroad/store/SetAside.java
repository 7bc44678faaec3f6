package io.postroad.store;

import java.time.Duration;
import java.time.Instant;

/**
 * Messages that wait until their destination is open again: it is paused, or it is down.
 *
 * @param messages how many, counted up to {@link Backlog#COUNT_LIMIT}
 * @param oldest how long the first of them has waited for it, at least
 */
public record SetAside(String destination, long messages, Duration oldest) {
  /** When stores say that such a message is due, which is to say: not before it is opened. */
  public static final Instant DUE_AT = Instant.parse("9999-01-01T00:00:00Z");

  /** What every implementation says to a limit of {@code open} that it does not take. */
  public static void checkLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("open limit must be 1 or more, got " + limit);
    }
  }
}
