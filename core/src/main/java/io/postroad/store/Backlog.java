package io.postroad.store;

import java.time.Duration;

/**
 * The messages that wait, counted.
 *
 * @param pending messages not delivered and not dead, counted up to {@link #COUNT_LIMIT}
 * @param dead dead letters, counted up to {@link #COUNT_LIMIT}
 * @param lag how long the longest due message has been due; zero when none is
 */
public record Backlog(long pending, long dead, Duration lag) {
  /** Counting stops here, so that a count never costs more than the work. */
  public static final int COUNT_LIMIT = 10_000;
}
