package io.postroad.postgres.drain;

import java.util.List;
import java.util.Optional;

/**
 * What is in the table of another outbox, and what a {@link PostgresDrain} would do.
 *
 * @param rows how many rows there are of each status and fate
 * @param expected what {@link PostgresDrain#run} would report now
 */
public record DrainLook(List<Count> rows, DrainReport expected) {

  public DrainLook {
    rows = List.copyOf(rows);
  }

  /**
   * Rows that are treated alike.
   *
   * @param status as the table says it; empty for none
   */
  public record Count(Optional<String> status, Fate fate, long rows) {}

  /** What a run does with a row. */
  public enum Fate {
    /** It is handed to the mapping, and moved if that gives a message. */
    TAKEN,
    /** It was delivered; it is left alone. */
    DELIVERED,
    /** The old outbox has given it up; it is left alone. */
    FAILED,
    /** It is younger than {@link DrainOptions#minAge}; a later run takes it. */
    YOUNG,
    /** Its status is none that the old outbox has; it is left alone. */
    UNKNOWN
  }

  /** How many rows have this fate. */
  public long count(Fate fate) {
    return count(rows, fate);
  }

  static long count(List<Count> rows, Fate fate) {
    return rows.stream().filter(each -> each.fate() == fate).mapToLong(Count::rows).sum();
  }
}
