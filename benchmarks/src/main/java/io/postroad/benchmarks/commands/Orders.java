package io.postroad.benchmarks.commands;

import io.postroad.benchmarks.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** The business table, without a constraint that could hide a second execution. */
final class Orders {
  private final DataSource pool;

  Orders(DataSource pool) {
    this.pool = pool;
  }

  void reset() throws SQLException {
    Sql.run(pool, "DROP TABLE IF EXISTS orders");
    Sql.run(pool, "CREATE TABLE orders (order_id uuid NOT NULL, body text NOT NULL)");
  }

  static String payload(int number) {
    return "{\"customer\":\"customer-%d\",\"amount\":%d,\"note\":\"%s\"}"
        .formatted(number % 100, number, "x".repeat(200));
  }

  void insert(Connection connection, UUID id, String body) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO orders (order_id, body) VALUES (?, ?)")) {
      statement.setObject(1, id);
      statement.setString(2, body);
      statement.executeUpdate();
    }
  }

  /** Counts the written orders, and those that were written more than once. */
  Count count() throws SQLException {
    return new Count(
        Sql.number(pool, "SELECT count(DISTINCT order_id) FROM orders"),
        Sql.number(pool, "SELECT count(*) - count(DISTINCT order_id) FROM orders"));
  }

  record Count(long orders, long repeated) {}
}
