package io.postroad.benchmarks.process;

import io.postroad.benchmarks.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The limit: what a good team writes by hand. One transaction for each step, with the business row
 * and the row that says how far the transfer is; the thread that committed a step goes on with the
 * next. No log, no queue for whoever comes after a crash, no retries, no timeouts.
 */
final class HandwrittenTransfers implements ProcessContender {
  private static final String CREATE =
      """
      CREATE TABLE limit_transfer (
        id uuid PRIMARY KEY, number bigint NOT NULL, status text NOT NULL, step text NOT NULL,
        data text NOT NULL, updated_at timestamptz NOT NULL)
      """;
  private static final String START =
      "INSERT INTO limit_transfer VALUES (?, ?, 'RUNNING', 'Debit', ?, clock_timestamp())";
  private static final String MOVE =
      "UPDATE limit_transfer SET status = ?, step = ?, data = ?, updated_at = clock_timestamp()"
          + " WHERE id = ?";

  private final DataSource pool;
  private final Transfers transfers;

  private HandwrittenTransfers(DataSource pool, Transfers transfers) {
    this.pool = pool;
    this.transfers = transfers;
  }

  static HandwrittenTransfers create(DataSource pool, Transfers transfers) throws SQLException {
    Sql.run(pool, "DROP TABLE IF EXISTS limit_transfer");
    Sql.run(pool, CREATE);
    return new HandwrittenTransfers(pool, transfers);
  }

  @Override
  public String name() {
    return "limit";
  }

  @Override
  public List<Long> run(int count, boolean someFail) throws Exception {
    return Crowd.run(count, number -> transfer(number, someFail));
  }

  private void transfer(long number, boolean someFail) throws SQLException {
    UUID id = UUID.randomUUID();
    start(id, number);
    step(id, number, "Debit", "RUNNING", "Convert");
    step(id, number, "Convert", "RUNNING", "Credit");
    if (Transfers.fails(number, someFail)) {
      move(id, number, "COMPENSATING", "Credit");
      step(id, number, "UndoConvert", "COMPENSATING", "UndoDebit");
      step(id, number, "UndoDebit", "COMPENSATED", "UndoDebit");
    } else {
      step(id, number, "Credit", "RUNNING", "Notify");
      step(id, number, "Notify", "SUCCEEDED", "Notify");
    }
  }

  private void start(UUID id, long number) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement insert = connection.prepareStatement(START)) {
        insert.setObject(1, id);
        insert.setLong(2, number);
        insert.setString(3, data(number));
        insert.executeUpdate();
      }
      connection.commit();
    }
  }

  private void step(UUID id, long number, String step, String status, String next)
      throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      transfers.write(connection, number, step);
      move(connection, id, number, status, next);
      connection.commit();
    }
  }

  private void move(UUID id, long number, String status, String step) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      move(connection, id, number, status, step);
      connection.commit();
    }
  }

  private static void move(Connection connection, UUID id, long number, String status, String step)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(MOVE)) {
      update.setString(1, status);
      update.setString(2, step);
      update.setString(3, data(number));
      update.setObject(4, id);
      update.executeUpdate();
    }
  }

  private static String data(long number) {
    return "{\"number\":%d,\"amount\":100,\"currency\":\"EUR\"}".formatted(number);
  }

  @Override
  public void close() {}
}
