package io.postroad.adopt.internal;

import io.postroad.adopt.RowCounter;
import io.postroad.adopt.WordRows;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.postgres.internal.schema.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Counts the rows of a table, on the connection of the caller. */
public final class PostgresRowCounter implements RowCounter {
  private static final String BY_WORD =
      """
      SELECT CAST(q.%s AS text) AS word, count(*)
      FROM %s AS q
      GROUP BY word
      ORDER BY word
      LIMIT %d
      """;

  private static final String ALL = "SELECT NULL, count(*) FROM %s";

  private final Connection connection;
  private final TableName table;

  public PostgresRowCounter(Connection connection, TableName table) {
    this.connection = connection;
    this.table = table;
  }

  @Override
  public List<WordRows> byWord(String column) {
    return count(BY_WORD.formatted(TableName.quoted(column), table.quoted(), MAX_WORDS + 1));
  }

  @Override
  public long all() {
    return count(ALL.formatted(table.quoted())).get(0).rows();
  }

  private List<WordRows> count(String question) {
    List<WordRows> counts = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(question);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        counts.add(new WordRows(Optional.ofNullable(row.getString(1)), row.getLong(2)));
      }
    } catch (SQLException failed) {
      throw SqlErrors.failed("count the rows of table " + table, failed);
    }
    return counts;
  }
}
