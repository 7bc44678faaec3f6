package io.postroad.layout;

import java.util.List;

/** Counts the rows of the table or collection that is looked at. */
public interface RowCounter {
  /** More different words than this are no statuses. */
  int MAX_WORDS = 20;

  /**
   * The rows by the word in a column.
   *
   * @param column one of the table's, of kind {@link ColumnKind#TEXT} or {@link ColumnKind#ENUM}
   * @return in any order; where there are more than {@link #MAX_WORDS}, any {@code MAX_WORDS + 1}
   */
  List<WordRows> byWord(String column);

  /** All rows. */
  long all();
}
