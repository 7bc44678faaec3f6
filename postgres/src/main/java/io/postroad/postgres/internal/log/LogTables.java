package io.postroad.postgres.internal.log;

import java.time.Duration;
import java.time.InstantSource;

/**
 * Which of the log's tables is written now. It depends on this machine's clock and on nothing else;
 * readers read all of them, so clocks that differ do no harm.
 */
public record LogTables(Duration rotation, InstantSource clock) {

  int current() {
    long period = Math.floorDiv(clock.instant().getEpochSecond(), rotation.toSeconds());
    return Math.floorMod(period, LogSql.TABLES);
  }

  Duration longestRetention() {
    return rotation.multipliedBy(3).dividedBy(2);
  }

  /**
   * Refuses what cannot be kept. A table is written for one period and written again two periods
   * later; half a period must be left in which it can be emptied.
   */
  void requireKeepable(Duration retention) {
    if (retention.compareTo(longestRetention()) > 0) {
      throw new IllegalArgumentException(
          "delivered messages can be kept for one and a half times PostgresOptions.logRotation (%s),"
                  .formatted(rotation)
              + " got a retention of %s; raise logRotation or keep them shorter"
                  .formatted(retention));
    }
  }
}
