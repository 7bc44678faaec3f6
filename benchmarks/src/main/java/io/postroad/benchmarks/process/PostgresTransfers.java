package io.postroad.benchmarks.process;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.benchmarks.Sql;
import io.postroad.benchmarks.outbox.JdbcCounter;
import io.postroad.benchmarks.outbox.StatementCount;
import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresProcessStore;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import io.postroad.servers.ServerOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** Transfers on their own PostgreSQL. */
final class PostgresTransfers implements TransferDatabase, HandwrittenTransfers.Database {
  private static final String SCHEMA = "postroad_processes";
  private static final String LIMIT =
      """
      CREATE TABLE limit_transfer (
        id uuid PRIMARY KEY, number bigint NOT NULL, status text NOT NULL, step text NOT NULL,
        data text NOT NULL, updated_at timestamptz NOT NULL)
      """;
  private static final String START =
      "INSERT INTO limit_transfer VALUES (?, ?, 'RUNNING', ?, ?, clock_timestamp())";
  private static final String MOVE =
      "UPDATE limit_transfer SET status = ?, step = ?, data = ?, updated_at = clock_timestamp()"
          + " WHERE id = ?";

  private final PostgresServer server;
  private final HikariDataSource pool;
  private final StatementCount count = new StatementCount();
  private final DataSource used;

  private PostgresTransfers(PostgresServer server, boolean isCounted) {
    this.server = server;
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.createDatabase("bench"));
    config.setMaximumPoolSize(4 * ProcessBench.CONCURRENCY);
    this.pool = new HikariDataSource(config);
    this.used = isCounted ? new JdbcCounter(count).counted(pool) : pool;
  }

  /**
   * Starts a server.
   *
   * @param isCounted whether statements are counted, which costs time
   */
  static PostgresTransfers start(boolean isCounted) {
    ServerOptions options =
        ServerOptions.defaults()
            .withSetting("max_wal_size", "8GB")
            .withSetting("checkpoint_timeout", "1h")
            // As the page about commands recommends; for both contenders.
            .withSetting("idle_in_transaction_session_timeout", "65s");
    if (isCounted) {
      // Its transactions have numbers, too, and belong to no contender.
      options = options.withSetting("autovacuum", "off");
    }
    return new PostgresTransfers(PostgresServer.started(options), isCounted);
  }

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public ProcessContender limit() throws SQLException {
    reset();
    Sql.run(pool, "DROP TABLE IF EXISTS limit_transfer");
    Sql.run(pool, LIMIT);
    return new HandwrittenTransfers(this);
  }

  @Override
  public ProcessContender postroad() throws SQLException {
    reset();
    Sql.run(pool, "DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
    PostgresOptions options =
        PostgresOptions.defaults().withSchema(SCHEMA).withSchemaMode(SchemaMode.MIGRATE);
    return new PostroadTransfers<>(
        PostgresCommandStore.open(used, options),
        PostgresProcessStore.open(used, options),
        PostgresTransfers::write);
  }

  private void reset() throws SQLException {
    Sql.run(pool, "DROP TABLE IF EXISTS entry");
    Sql.run(pool, "CREATE TABLE entry (transfer bigint NOT NULL, step text NOT NULL)");
  }

  private static void write(Connection connection, long transfer, String step) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO entry (transfer, step) VALUES (?, ?)")) {
      insert.setLong(1, transfer);
      insert.setString(2, step);
      insert.executeUpdate();
    }
  }

  @Override
  public void start(UUID id, long number, String step, String data) throws SQLException {
    try (Connection connection = used.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement insert = connection.prepareStatement(START)) {
        insert.setObject(1, id);
        insert.setLong(2, number);
        insert.setString(3, step);
        insert.setString(4, data);
        insert.executeUpdate();
      }
      connection.commit();
    }
  }

  @Override
  public void step(UUID id, long number, String done, HandwrittenTransfers.State next)
      throws SQLException {
    try (Connection connection = used.getConnection()) {
      connection.setAutoCommit(false);
      write(connection, number, done);
      move(connection, id, next);
      connection.commit();
    }
  }

  @Override
  public void move(UUID id, HandwrittenTransfers.State next) throws SQLException {
    try (Connection connection = used.getConnection()) {
      connection.setAutoCommit(false);
      move(connection, id, next);
      connection.commit();
    }
  }

  private static void move(Connection connection, UUID id, HandwrittenTransfers.State next)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(MOVE)) {
      update.setString(1, next.status());
      update.setString(2, next.step());
      update.setString(3, next.data());
      update.setObject(4, id);
      update.executeUpdate();
    }
  }

  @Override
  public void flush() throws SQLException {
    Sql.run(pool, "CHECKPOINT");
  }

  @Override
  public Entries entries() throws SQLException {
    return new Entries(
        Sql.number(pool, "SELECT count(*) FROM entry"),
        Sql.number(pool, "SELECT count(*) FROM (SELECT DISTINCT transfer, step FROM entry) e"),
        Sql.number(pool, "SELECT count(*) FROM entry WHERE step LIKE 'Undo%'"));
  }

  /** Counts the transactions that write or lock, by their numbers; this query has none. */
  @Override
  public Spent spent() throws SQLException {
    return new Spent(
        Sql.number(pool, "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint"),
        count.total());
  }

  @Override
  public void close() {
    pool.close();
    server.close();
  }
}
