package io.postroad.postgres.drain;

import io.postroad.outbox.OutboxOptions;
import java.time.Duration;

/**
 * How a {@link PostgresDrain} treats rows. Immutable.
 *
 * @param failedRows what happens to rows that the old outbox has given up; default {@link
 *     FailedRows#LEAVE}
 * @param movedRows what becomes of a row that was moved; default {@link MovedRows#COMPLETE}
 * @param minAge rows younger than this are left for a later run; default 1 minute. The old
 *     application delivers a new row at once, from memory, so a row that is taken from a node that
 *     still runs is delivered by both. Zero when no such node is left
 * @param batchSize how many rows are moved in one transaction, 1 to 10,000; default 200
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

  /** What happens to rows that the old outbox has given up ({@code FAILED}). */
  public enum FailedRows {
    /**
     * They stay where they are, to be looked at; later ones of their key are moved all the same.
     */
    LEAVE,
    /** They are moved like the others, in their place, and have all their attempts again. */
    TAKE
  }

  /** What becomes of a row that was moved. */
  public enum MovedRows {
    /** It is marked as completed, as if it had been delivered there. */
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
