package io.postroad.postgres.internal.jdbc;

import io.postroad.postgres.internal.append.MessageColumns;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads texts that are mostly the same from row to row, such as types and destinations: a text that
 * equals the one before it in its column is not decoded again, and is the same object, whose hash
 * is known. For the rows of one result, read by one thread.
 */
public final class RepeatedTexts {
  private final byte[][] bytes = new byte[MessageColumns.COUNT + 1][];
  private final @Nullable String[] texts = new String[MessageColumns.COUNT + 1];

  /**
   * The text of a column that no message lacks.
   *
   * @throws IllegalArgumentException when this row does
   */
  public String required(ResultSet row, int column) throws SQLException {
    @Nullable String text = get(row, column);
    if (text == null) {
      throw new IllegalArgumentException("it has no " + MessageColumns.NAMES.get(column - 1));
    }
    return text;
  }

  public @Nullable String get(ResultSet row, int column) throws SQLException {
    byte @Nullable [] now = row.getBytes(column);
    if (now == null) {
      return null;
    }
    @Nullable String before = texts[column];
    if (before != null && Arrays.equals(now, bytes[column])) {
      return before;
    }
    String text = new String(now, StandardCharsets.UTF_8);
    bytes[column] = now;
    texts[column] = text;
    return text;
  }
}
