package io.postroad.drain;

import io.postroad.outbox.OutboxOptions;
import java.time.Duration;

/**
 * Options of a {@link PostgresDrain}. Immutable.
 *
 * @param failedRows treatment of rows that the old outbox has given up; default {@link
 *     FailedRows#LEAVE}
 * @param movedRows treatment of a row that was moved; default {@link MovedRows#COMPLETE}
 * @param minAge rows younger than this are left for a later run; default 1 minute. The old
 *     application delivers a new row at once, from memory, so a row that is taken from a node that
 *     still runs is delivered by both. Zero when no such node is left
 * @param batchSize number of rows that are moved in one transaction, 1 to 10,000; default 200
 * @param outbox as the service appends: the largest payload, and how long deduplication keys that
 *     the mapping sets are remembered
 */
public record DrainOptions(
    FailedRows failedRows,
    MovedRows movedRows,
    Duration minAge,
    int batchSize,
    OutboxOptions outbox) {
  private static final int MAX_BATCH = 10_000;
  private static final Duration MAX_AGE = Duration.ofDays(365);

  /** Treatment of rows that the old outbox has given up ({@code FAILED}). */
  public enum FailedRows {
    /**
     * They stay in the old table, for a person to check; later rows of their key are moved anyway.
     */
    LEAVE,
    /** They are moved like the others, in their order, and have all their attempts again. */
    TAKE
  }

  /** Treatment of a row that was moved. */
  public enum MovedRows {
    /** It is marked as completed, as if the old outbox had delivered it. */
    COMPLETE,
    /** It is deleted. */
    DELETE
  }

  public DrainOptions {
    if (minAge.isNegative() || minAge.compareTo(MAX_AGE) > 0) {
      throw new IllegalArgumentException(
          "DrainOptions.minAge must be from zero to 365 days, got " + minAge);
    }
    if (batchSize < 1 || batchSize > MAX_BATCH) {
      throw new IllegalArgumentException(
          "DrainOptions.batchSize must be from 1 to %d, got %d".formatted(MAX_BATCH, batchSize));
    }
  }

  public static DrainOptions defaults() {
    return new DrainOptions(
        FailedRows.LEAVE, MovedRows.COMPLETE, Duration.ofMinutes(1), 200, OutboxOptions.defaults());
  }

  public DrainOptions withFailedRows(FailedRows newRows) {
    return new DrainOptions(newRows, movedRows, minAge, batchSize, outbox);
  }

  public DrainOptions withMovedRows(MovedRows newRows) {
    return new DrainOptions(failedRows, newRows, minAge, batchSize, outbox);
  }

  public DrainOptions withMinAge(Duration newAge) {
    return new DrainOptions(failedRows, movedRows, newAge, batchSize, outbox);
  }

  public DrainOptions withBatchSize(int newSize) {
    return new DrainOptions(failedRows, movedRows, minAge, newSize, outbox);
  }

  public DrainOptions withOutbox(OutboxOptions newOptions) {
    return new DrainOptions(failedRows, movedRows, minAge, batchSize, newOptions);
  }
}
