package io.postroad.benchmarks.commands;

import io.postroad.benchmarks.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/**
 * The limit: good hand-written code with the same guarantees. It claims fifty commands with a
 * lease; then one transaction per command locks its row by token and writes the business row and
 * the outcome. It has no replies, timeouts, attempts or metrics.
 */
final class HandwrittenCommands implements CommandContender {
  private static final String CREATE =
      """
      CREATE TABLE limit_command (
        command_id uuid PRIMARY KEY, type text NOT NULL, idempotency_key text NOT NULL UNIQUE,
        payload text NOT NULL, status text NOT NULL, due_at timestamptz NOT NULL,
        token bigint NOT NULL DEFAULT 0, reply text, created_at timestamptz NOT NULL);
      CREATE INDEX limit_command_due_idx ON limit_command (due_at)
        WHERE status IN ('PENDING', 'PROCESSING');
      """;
  private static final String ACCEPT =
      """
      INSERT INTO limit_command (command_id, type, idempotency_key, payload, status, due_at, created_at)
      VALUES (?, 'CreateOrder', ?, ?, 'PENDING', clock_timestamp(), clock_timestamp())
      ON CONFLICT (idempotency_key) DO NOTHING
      """;
  private static final String CLAIM =
      """
      UPDATE limit_command SET status = 'PROCESSING', token = token + 1,
        due_at = clock_timestamp() + INTERVAL '3 minutes'
      WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM limit_command
        WHERE status IN ('PENDING', 'PROCESSING') AND due_at <= clock_timestamp()
        ORDER BY due_at LIMIT 50 FOR UPDATE SKIP LOCKED))
      RETURNING command_id, token, payload
      """;
  private static final String OPEN =
      """
      SELECT 1 FROM limit_command
      WHERE command_id = ? AND token = ? AND status = 'PROCESSING' FOR NO KEY UPDATE
      """;
  private static final String FINISH =
      "UPDATE limit_command SET status = 'COMPLETED', reply = ? WHERE command_id = ? AND token = ?";

  private final DataSource pool;
  private final Orders orders;

  private HandwrittenCommands(DataSource pool, Orders orders) {
    this.pool = pool;
    this.orders = orders;
  }

  static HandwrittenCommands create(DataSource pool, Orders orders) throws SQLException {
    Sql.run(pool, "DROP TABLE IF EXISTS limit_command");
    Sql.run(pool, CREATE);
    return new HandwrittenCommands(pool, orders);
  }

  @Override
  public String name() {
    return "limit";
  }

  @Override
  public void accept(int commands) throws SQLException {
    for (int i = 0; i < commands; i++) {
      try (Connection connection = pool.getConnection()) {
        // The caller accepts a command with other work, so in a transaction.
        connection.setAutoCommit(false);
        try (PreparedStatement statement = connection.prepareStatement(ACCEPT)) {
          statement.setObject(1, UUID.randomUUID());
          statement.setString(2, "key-" + i);
          statement.setString(3, Orders.payload(i));
          statement.executeUpdate();
        }
        connection.commit();
      }
    }
  }

  @Override
  public void handleAll() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CommandsBench.CONCURRENCY);
    try {
      List<Claim> claims = claim();
      while (!claims.isEmpty()) {
        List<Callable<Boolean>> work = new ArrayList<>();
        claims.forEach(claim -> work.add(() -> handle(claim)));
        List<Future<Boolean>> running = threads.invokeAll(work);
        claims = claim();
        for (Future<Boolean> one : running) {
          var unused = one.get();
        }
      }
    } finally {
      threads.shutdown();
    }
  }

  private record Claim(UUID id, long token, String payload) {}

  private List<Claim> claim() throws SQLException {
    List<Claim> claims = new ArrayList<>();
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(CLAIM);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        claims.add(new Claim(row.getObject(1, UUID.class), row.getLong(2), row.getString(3)));
      }
    }
    return claims;
  }

  private boolean handle(Claim claim) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement open = connection.prepareStatement(OPEN);
          PreparedStatement finish = connection.prepareStatement(FINISH)) {
        open.setObject(1, claim.id());
        open.setLong(2, claim.token());
        try (ResultSet held = open.executeQuery()) {
          if (!held.next()) {
            connection.rollback();
            return false;
          }
        }
        orders.insert(connection, claim.id(), claim.payload());
        finish.setString(1, "{\"orderId\":\"" + claim.id() + "\"}");
        finish.setObject(2, claim.id());
        finish.setLong(3, claim.token());
        finish.executeUpdate();
        connection.commit();
        return true;
      }
    }
  }

  @Override
  public void close() {}
}
