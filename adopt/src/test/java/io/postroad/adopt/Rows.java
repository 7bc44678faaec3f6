package io.postroad.adopt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counted rows, without a database. */
public final class Rows implements RowCounter {
  private final Map<String, List<WordRows>> byColumn;
  private final long all;

  private Rows(Map<String, List<WordRows>> byColumn, long all) {
    this.byColumn = byColumn;
    this.all = all;
  }

  /** None at all. */
  public static Rows none() {
    return new Rows(Map.of(), 0);
  }

  /** So many, with nothing that is counted by word. */
  public static Rows of(long all) {
    return new Rows(Map.of(), all);
  }

  /** Returns one row for each word in column {@code status}. */
  public static Rows withStatus(String... words) {
    Rows rows = none();
    for (String word : words) {
      rows = rows.and("status", WordRows.of(word, 1));
    }
    return rows;
  }

  public Rows and(String column, WordRows counted) {
    Map<String, List<WordRows>> more = new HashMap<>(byColumn);
    List<WordRows> there = new ArrayList<>(more.getOrDefault(column, List.of()));
    there.add(counted);
    more.put(column, there);
    return new Rows(more, all + counted.rows());
  }

  @Override
  public List<WordRows> byWord(String column) {
    return byColumn.getOrDefault(column, List.of());
  }

  @Override
  public long all() {
    return all;
  }
}
