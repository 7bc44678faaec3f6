package io.postroad.store;

import java.time.Duration;

/**
 * What waits behind dead letters.
 *
 * @param keys parked keys, counted up to {@link Backlog#COUNT_LIMIT}
 * @param messages messages of parked keys, the dead ones too, counted up to {@link
 *     Backlog#COUNT_LIMIT}
 * @param oldest how long the first of them has been parked; zero when there is none
 */
public record Parked(long keys, long messages, Duration oldest) {
  public static final Parked NONE = new Parked(0, 0, Duration.ZERO);
}
