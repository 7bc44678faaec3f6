package io.postroad.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Reads the costs of a contender on PostgreSQL so far. */
final class PostgresMeter implements Meter {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration PAUSE = Duration.ofMillis(10);

  /** The position of the next record; includes records that are not on disk yet. */
  private static final String WAL =
      "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint";

  private static final String BUFFERS =
      "SELECT blks_hit + blks_read FROM pg_stat_database WHERE datname = current_database()";

  private static final String BACKENDS =
      """
      SELECT count(*)
      FROM pg_stat_activity
      WHERE datname = current_database()
        AND backend_type = 'client backend'
        AND pid <> pg_backend_pid()
      """;

  private final HikariDataSource pool;
  private final StatementCount statements;

  PostgresMeter(HikariDataSource pool, StatementCount statements) {
    this.pool = pool;
    this.statements = statements;
  }

  @Override
  public String logName() {
    return "wal";
  }

  @Override
  public long logBytes() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return number(connection, WAL);
    }
  }

  @Override
  public long statements() {
    return statements.total();
  }

  /**
   * Returns the number of read buffers. A backend reports them when it is idle for a while or ends,
   * so this ends all unused connections of the pool.
   */
  @Override
  public long reads() throws SQLException, InterruptedException {
    HikariPoolMXBean connections = pool.getHikariPoolMXBean();
    connections.softEvictConnections();
    try (Connection connection = DriverManager.getConnection(pool.getJdbcUrl())) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (number(connection, BACKENDS) > connections.getActiveConnections()) {
        // Again: a background thread of a contender may have opened and returned another
        // connection.
        connections.softEvictConnections();
        if (deadline - System.nanoTime() < 0) {
          throw new IllegalStateException(
              "connections did not end within %s, so their buffers are not known"
                  .formatted(PATIENCE));
        }
        Thread.sleep(PAUSE.toMillis());
      }
      return number(connection, BUFFERS);
    }
  }

  @Override
  public long transactions() {
    throw new UnsupportedOperationException("transactions are measured on MongoDB only");
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public Figure.Unit readUnit() {
    return Figure.Unit.BUFFERS_PER_EVENT;
  }
}
