package io.postroad.adopt;

import java.util.List;

/** Counts the rows of the inspected table or collection. */
public interface RowCounter {
  /** Largest number of different words that can be statuses. */
  int MAX_WORDS = 20;

  /**
   * Counts the rows by the word in a column.
   *
   * @param column one of the table's, of kind {@link ColumnKind#TEXT} or {@link ColumnKind#ENUM}
   * @return the counts in any order; of more than {@link #MAX_WORDS} words, any {@code MAX_WORDS +
   *     1}
   */
  List<WordRows> byWord(String column);

  /** Counts all rows. */
  long all();
}
