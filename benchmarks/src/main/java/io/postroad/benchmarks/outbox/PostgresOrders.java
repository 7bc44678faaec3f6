package io.postroad.benchmarks.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The business table. Thread-safe. */
final class PostgresOrders implements Orders<Connection> {
  private static final String CREATE =
      """
      CREATE TABLE %s.orders (
        id bigserial PRIMARY KEY,
        customer text NOT NULL,
        amount bigint NOT NULL,
        placed_at timestamptz NOT NULL DEFAULT now())
      """;

  private static final String INSERT = "INSERT INTO %s.orders (customer, amount) VALUES (?, ?)";

  private final String create;
  private final String insert;

  PostgresOrders(String schema) {
    create = CREATE.formatted(schema);
    insert = INSERT.formatted(schema);
  }

  String create() {
    return create;
  }

  @Override
  public void insert(Connection connection, Event event) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setString(1, event.key());
      statement.setLong(2, event.seq());
      statement.executeUpdate();
    }
  }
}
