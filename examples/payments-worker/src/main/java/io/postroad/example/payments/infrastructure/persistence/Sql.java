package io.postroad.example.payments.infrastructure.persistence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs statements on a connection in a transaction. Stateless. */
final class Sql {
  private Sql() {}

  /** Converts a row. */
  @FunctionalInterface
  interface RowMapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  static <T> List<T> query(
      Connection connection, String sql, RowMapper<T> mapper, Object... parameters)
      throws SQLException {
    try (PreparedStatement select = prepared(connection, sql, parameters);
        ResultSet rows = select.executeQuery()) {
      List<T> found = new ArrayList<>();
      while (rows.next()) {
        found.add(mapper.map(rows));
      }
      return found;
    }
  }

  static void update(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement update = prepared(connection, sql, parameters)) {
      update.executeUpdate();
    }
  }

  private static PreparedStatement prepared(
      Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }
}
