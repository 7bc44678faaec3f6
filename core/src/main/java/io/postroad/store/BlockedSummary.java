package io.postroad.store;

import java.time.Duration;

/**
 * The keys that dead letters block, counted.
 *
 * @param keys how many keys, counted up to {@link Backlog#COUNT_LIMIT}
 * @param messages their messages, dead letters included, counted up to {@link Backlog#COUNT_LIMIT}
 * @param oldest how long the first key has been blocked; zero when there is none
 */
public record BlockedSummary(long keys, long messages, Duration oldest) {
  public static final BlockedSummary NONE = new BlockedSummary(0, 0, Duration.ZERO);
}
