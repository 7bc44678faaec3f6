package io.postroad.benchmarks.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.kafka.clients.producer.Producer;

/**
 * Deletes rows in an open transaction while the broker gets them; then the transaction commits. It
 * has its own connection, and its commits do not wait for the disk: if one is lost, messages are
 * sent again, which at-least-once allows.
 */
final class PostgresQueueBatch implements AutoCloseable {
  private static final int SIZE = 1_000;

  static final String CREATE =
      """
      CREATE TABLE %s.outbox (
        pos bigserial PRIMARY KEY,
        id uuid NOT NULL,
        key text NOT NULL,
        type text NOT NULL,
        topic text NOT NULL,
        payload text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now())
      """;

  private static final String CLAIM =
      """
      DELETE FROM %1$s.outbox
      WHERE pos = ANY (ARRAY(
        SELECT pos
        FROM %1$s.outbox
        ORDER BY pos
        LIMIT %2$d
        FOR UPDATE SKIP LOCKED))
      RETURNING %3$s
      """;

  private final Connection connection;
  private final PreparedStatement claim;
  private LimitMessages messages = new LimitMessages();

  PostgresQueueBatch(PostgresArena arena) throws SQLException {
    connection = arena.connect();
    try (PreparedStatement setting = connection.prepareStatement("SET synchronous_commit = off")) {
      setting.execute();
    }
    connection.setAutoCommit(false);
    claim =
        connection.prepareStatement(
            CLAIM.formatted(arena.schema(), SIZE, PostgresMessages.COLUMNS));
  }

  /** Takes the next unlocked rows; returns false if there are none. */
  boolean claim() throws SQLException {
    messages = new LimitMessages();
    try (ResultSet result = claim.executeQuery()) {
      while (result.next()) {
        PostgresMessages.add(result, messages);
      }
    }
    if (messages.size() == 0) {
      connection.commit();
      return false;
    }
    return true;
  }

  void send(Producer<byte[], byte[]> producer) {
    messages.send(producer);
  }

  /** Waits for the broker and commits. */
  void settle() throws SQLException, InterruptedException {
    messages.await();
    connection.commit();
  }

  /** Rolls back if the transaction is open. */
  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException ignored) {
      // The server rolls back when the connection ends.
    }
  }
}
