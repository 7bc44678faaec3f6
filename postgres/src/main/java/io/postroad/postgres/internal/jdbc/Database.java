package io.postroad.postgres.internal.jdbc;

import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the store's own statements on a borrowed connection. A verb is one statement or one
 * transaction, so one that lost against other transactions has done nothing and runs again.
 */
public final class Database {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);
  private static final int RUNS = 3;

  // Each statement must see what the locks before it have waited for, whatever a pool has set.
  private static final String BEGIN =
      """
      SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
      SET LOCAL idle_in_transaction_session_timeout = '5s'
      """;

  private static final Duration CANCEL_GRACE = Duration.ofSeconds(10);

  private final DataSource dataSource;
  private final int timeoutSeconds;

  public Database(DataSource dataSource, Duration statementTimeout) {
    this.dataSource = dataSource;
    this.timeoutSeconds = (int) statementTimeout.plusMillis(999).toSeconds();
  }

  /** Work on a connection in autocommit. */
  public interface Work<R> {
    R run(Connection connection) throws SQLException;
  }

  /**
   * Runs {@code work}.
   *
   * @param what for the error: could not {@code what}
   */
  public <R> R call(String what, Work<R> work) {
    for (int run = 1; ; run++) {
      try {
        return borrow(work);
      } catch (SQLException failed) {
        if (run == RUNS || !SqlErrors.isConflict(failed)) {
          throw SqlErrors.failed(what, failed);
        }
        LOG.debug("{} again after a conflict: run={} of={}", what, run + 1, RUNS);
      }
    }
  }

  /** Runs {@code work} of several statements in one transaction. */
  public <R> R transact(String what, Work<R> work) {
    return call(
        what,
        connection -> {
          connection.setAutoCommit(false);
          try {
            begin(connection);
            R result = work.run(connection);
            connection.commit();
            return result;
          } catch (SQLException | RuntimeException failed) {
            rollback(connection, failed);
            throw failed;
          } finally {
            restoreCommitMode(connection, true);
          }
        });
  }

  /**
   * A process that is frozen between two statements, or cut off from the server, would hold its
   * locks for as long as that lasts, and other nodes would wait for them.
   */
  private void begin(Connection connection) throws SQLException {
    try (PreparedStatement statement = prepare(connection, BEGIN)) {
      statement.execute();
    }
  }

  private static void rollback(Connection connection, Exception because) {
    try {
      connection.rollback();
    } catch (SQLException broken) {
      because.addSuppressed(broken);
    }
  }

  /** Prepares a statement that ends at the timeout. */
  public PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setQueryTimeout(timeoutSeconds);
    return statement;
  }

  /** Binds the parameters of a statement. */
  public interface Binding {
    void bind(Parameters parameters) throws SQLException;
  }

  /** Reads the current row of a result. */
  public interface RowReader<R> {
    R read(ResultSet row) throws SQLException;
  }

  /**
   * Reads the current row of a fenced query; returns null for the row that only proves the lease.
   */
  public interface FencedReader<R> {
    @Nullable R read(ResultSet row) throws SQLException;
  }

  /** Runs a query after its line of settings and returns its rows. */
  public <R> List<R> list(String what, String sql, Binding binding, RowReader<R> reader) {
    return call(
        what,
        connection -> {
          try (PreparedStatement statement = prepare(connection, sql)) {
            binding.bind(new Parameters(statement));
            try (ResultSet row = query(statement)) {
              return all(row, reader);
            }
          }
        });
  }

  /** Runs a query without settings, in the transaction of a connection, and returns its rows. */
  public <R> List<R> rows(Connection connection, String sql, Binding binding, RowReader<R> reader)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql)) {
      binding.bind(new Parameters(statement));
      try (ResultSet row = statement.executeQuery()) {
        return all(row, reader);
      }
    }
  }

  private static <R> List<R> all(ResultSet row, RowReader<R> reader) throws SQLException {
    List<R> rows = new ArrayList<>();
    while (row.next()) {
      rows.add(reader.read(row));
    }
    return rows;
  }

  /** Runs an update without settings, in the transaction of a connection. */
  public int execute(Connection connection, String sql, Binding binding) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql)) {
      binding.bind(new Parameters(statement));
      return statement.executeUpdate();
    }
  }

  /**
   * Runs a query that returns at least one row while the lease of a lane holds.
   *
   * @param verb for the errors: could not {@code verb} of lane n
   */
  public <R> List<R> fenced(
      LaneLease lease, String verb, String sql, Binding binding, FencedReader<R> reader) {
    return call(
        "%s of lane %d".formatted(verb, lease.lane()),
        connection -> {
          try (PreparedStatement statement = prepare(connection, sql)) {
            binding.bind(new Parameters(statement));
            List<R> rows = new ArrayList<>();
            boolean holds = false;
            try (ResultSet row = query(statement)) {
              while (row.next()) {
                holds = true;
                @Nullable R read = reader.read(row);
                if (read != null) {
                  rows.add(read);
                }
              }
            }
            if (!holds) {
              throw new LaneLostException(lease, verb);
            }
            return rows;
          }
        });
  }

  /** Runs an update after its line of settings and returns the number of rows. */
  public int update(String what, String sql, Binding binding) {
    return call(
        what,
        connection -> {
          try (PreparedStatement statement = prepare(connection, sql)) {
            binding.bind(new Parameters(statement));
            return update(statement);
          }
        });
  }

  /** Runs the line of settings and the query after it. */
  public static ResultSet query(PreparedStatement statement) throws SQLException {
    afterSettings(statement);
    return statement.getResultSet();
  }

  /** Runs the line of settings and the update after it; the number of rows. */
  public static int update(PreparedStatement statement) throws SQLException {
    afterSettings(statement);
    return statement.getUpdateCount();
  }

  private static void afterSettings(PreparedStatement statement) throws SQLException {
    statement.execute();
    statement.getMoreResults();
  }

  /** Runs {@code work} once, on a connection that goes back with the autocommit it came with. */
  public <R> R borrow(Work<R> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      int networkTimeout = connection.getNetworkTimeout();
      limitReads(connection, networkTimeout);
      try {
        return inAutoCommit(connection, work);
      } finally {
        restoreReads(connection, networkTimeout);
      }
    }
  }

  /**
   * A server that vanished without a word would keep the thread in a read for ever: the statement's
   * timeout only sends a cancel, on a connection of its own.
   */
  private void limitReads(Connection connection, int before) throws SQLException {
    int limit = (int) Duration.ofSeconds(timeoutSeconds).plus(CANCEL_GRACE).toMillis();
    if (before == 0 || before > limit) {
      connection.setNetworkTimeout(Runnable::run, limit);
    }
  }

  private static void restoreReads(Connection connection, int before) {
    try {
      connection.setNetworkTimeout(Runnable::run, before);
    } catch (SQLException broken) {
      LOG.debug("a connection broke; its pool will replace it", broken);
    }
  }

  private static <R> R inAutoCommit(Connection connection, Work<R> work) throws SQLException {
    if (connection.getAutoCommit()) {
      return work.run(connection);
    }
    connection.setAutoCommit(true);
    try {
      return work.run(connection);
    } finally {
      restoreCommitMode(connection, false);
    }
  }

  private static void restoreCommitMode(Connection connection, boolean autoCommit) {
    try {
      connection.setAutoCommit(autoCommit);
    } catch (SQLException broken) {
      LOG.debug("a connection broke; its pool will replace it", broken);
    }
  }
}
