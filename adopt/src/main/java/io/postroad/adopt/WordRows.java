package io.postroad.adopt;

import java.util.Optional;

/**
 * Number of rows with a word in a column.
 *
 * @param word empty for the rows that have none
 * @param rows at least 1
 */
public record WordRows(Optional<String> word, long rows) {
  public static WordRows of(String word, long rows) {
    return new WordRows(Optional.of(word), rows);
  }

  /** Creates a count of rows with an empty column. */
  public static WordRows without(long rows) {
    return new WordRows(Optional.empty(), rows);
  }
}
