package io.postroad.drain;

import java.util.List;
import java.util.Optional;

/**
 * Rows in the table of another outbox, and the expected result of a {@link PostgresDrain}.
 *
 * @param rows number of rows of each status and fate
 * @param expected the report of {@link PostgresDrain#run} if it ran now
 */
public record DrainPreview(List<Count> rows, DrainReport expected) {

  public DrainPreview {
    rows = List.copyOf(rows);
  }

  /**
   * Rows that are treated alike.
   *
   * @param status as the table says it; empty for none
   */
  public record Count(Optional<String> status, Fate fate, long rows) {}

  /** Treatment of a row by a run. */
  public enum Fate {
    /** Handed to the mapping, and moved if the mapping returns a message. */
    TAKEN,
    /** Delivered before; left alone. */
    DELIVERED,
    /** Given up by the old outbox; left alone. */
    FAILED,
    /** Younger than {@link DrainOptions#minAge}; a later run takes it. */
    YOUNG,
    /** Has a status that the old outbox does not have; left alone. */
    UNKNOWN
  }

  /** Returns the number of rows with this fate. */
  public long count(Fate fate) {
    return count(rows, fate);
  }

  static long count(List<Count> rows, Fate fate) {
    return rows.stream().filter(each -> each.fate() == fate).mapToLong(Count::rows).sum();
  }
}
