package io.postroad.store;

import java.time.Duration;

/**
 * How much is waiting.
 *
 * @param pending messages not delivered and not dead, counted up to {@link #COUNT_LIMIT}
 * @param dead dead letters, counted up to {@link #COUNT_LIMIT}
 * @param lag how long the longest due message has been due; zero when none is
 */
public record Backlog(long pending, long dead, Duration lag) {
  /** Counting stops here, so that looking never costs more than working. */
  public static final int COUNT_LIMIT = 10_000;
}
