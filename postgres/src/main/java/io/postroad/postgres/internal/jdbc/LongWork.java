package io.postroad.postgres.internal.jdbc;

import io.postroad.spi.hint.Threads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection on which statements may take as long as they need: no time-out of ours, of the
 * driver, of the role or of the database ends them. Meanwhile a thread asks on a second connection
 * how far the making of an index is, and logs it. That thread also ends the connection when the
 * server no longer has its session, which a read without a time-out would not notice.
 *
 * <p>{@link #close()} gives the connection its time-outs back.
 */
public final class LongWork {
  private static final Logger LOG = LoggerFactory.getLogger(LongWork.class);
  private static final Duration TELL_EVERY = Duration.ofSeconds(5);
  private static final long LOOK_MILLIS = 100;

  private static final String LIMITS =
      """
      SELECT name, setting
      FROM pg_settings
      WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout')
      """;

  private static final String SESSION =
      "SELECT pid, CAST(backend_start AS text) FROM pg_stat_activity WHERE pid = pg_backend_pid()";

  private static final String PROGRESS =
      """
      SELECT format('%s: %s', CAST(CAST(p.index_relid AS regclass) AS text), p.phase)
          || CASE WHEN p.blocks_total > 0
            THEN format(', block %s of %s', p.blocks_done, p.blocks_total) ELSE '' END
          || CASE WHEN p.tuples_total > 0
            THEN format(', row %s of %s', p.tuples_done, p.tuples_total) ELSE '' END
          || CASE WHEN p.current_locker_pid > 0
            THEN format(', for session %s (user %s, application ''%s'', transaction open since %s)',
              p.current_locker_pid, l.usename, l.application_name, l.xact_start) ELSE '' END
      FROM pg_stat_activity AS a
      LEFT JOIN pg_stat_progress_create_index AS p ON p.pid = a.pid
      LEFT JOIN pg_stat_activity AS l ON l.pid = p.current_locker_pid
      WHERE a.pid = ? AND a.backend_start = CAST(? AS timestamptz)
      """;

  private final DataSource dataSource;
  private final Connection connection;
  private final int networkTimeout;
  private final Map<String, String> limits = new LinkedHashMap<>();
  private final int pid;
  private final String began;
  private final Thread watcher;
  private volatile boolean over;

  private LongWork(DataSource dataSource, Connection connection) throws SQLException {
    this.dataSource = dataSource;
    this.connection = connection;
    this.networkTimeout = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, 0);
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row = statement.executeQuery(LIMITS)) {
        while (row.next()) {
          limits.put(row.getString(1), row.getString(2));
        }
      }
      try (ResultSet row = statement.executeQuery(SESSION)) {
        row.next();
        pid = row.getInt(1);
        began = row.getString(2);
      }
      for (String limit : limits.keySet()) {
        statement.execute("SET %s = 0".formatted(limit));
      }
    }
    watcher = new Thread(this::watch, "postroad-adoption");
    watcher.setDaemon(true);
    watcher.start();
  }

  public static LongWork on(Connection connection, DataSource dataSource) throws SQLException {
    return new LongWork(dataSource, connection);
  }

  private void watch() {
    long toldAt = System.nanoTime();
    while (!over) {
      Threads.pause(LOOK_MILLIS, () -> over);
      if (!over && System.nanoTime() - toldAt >= TELL_EVERY.toNanos()) {
        tell();
        toldAt = System.nanoTime();
      }
    }
  }

  private void tell() {
    try (Connection other = dataSource.getConnection();
        PreparedStatement statement = other.prepareStatement(PROGRESS)) {
      statement.setInt(1, pid);
      statement.setString(2, began);
      try (ResultSet row = statement.executeQuery()) {
        if (row.next()) {
          String progress = row.getString(1);
          if (progress != null) {
            LOG.info("postgres: making index {}", progress);
          }
        } else if (!over) {
          LOG.warn("postgres: the server no longer has session {}, its connection is ended", pid);
          connection.abort(Runnable::run);
        }
      }
    } catch (SQLException failed) {
      LOG.info("postgres: could not ask how far session {} is: {}", pid, failed.getMessage());
    }
  }

  public void close() {
    over = true;
    try (Statement statement = connection.createStatement()) {
      for (Map.Entry<String, String> limit : limits.entrySet()) {
        statement.execute("SET %s = %s".formatted(limit.getKey(), limit.getValue()));
      }
      connection.setNetworkTimeout(Runnable::run, networkTimeout);
    } catch (SQLException broken) {
      LOG.debug("a connection broke; its pool will replace it", broken);
    }
  }
}
