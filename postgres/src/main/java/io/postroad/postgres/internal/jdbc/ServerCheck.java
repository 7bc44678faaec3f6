package io.postroad.postgres.internal.jdbc;

import io.postroad.message.PostroadException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PreferQueryMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the server before a store is opened: refuses what cannot work, warns of what should not.
 */
public final class ServerCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ServerCheck.class);
  private static final int OLDEST = 160_000;
  private static final String SQL =
      """
      SELECT current_setting('server_version_num')::int, current_setting('server_version'),
        pg_is_in_recovery(), current_setting('fsync'), current_setting('synchronous_commit'),
        current_setting('transaction_isolation'), current_setting('transaction_read_only')::boolean,
        pg_backend_pid()
      """;

  private ServerCheck() {}

  public static void run(DataSource dataSource) {
    run(dataSource, connection -> {});
  }

  /**
   * {@link #run} for a store whose statements have to be one transaction when they are sent
   * together.
   *
   * @throws PostroadException also when the driver takes them apart
   */
  public static void runTogether(DataSource dataSource) {
    run(dataSource, ServerCheck::requireTogether);
  }

  @FunctionalInterface
  private interface Look {
    void at(Connection connection) throws SQLException;
  }

  private static void run(DataSource dataSource, Look more) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet server = statement.executeQuery(SQL)) {
      server.next();
      check(
          new Server(
              server.getInt(1),
              server.getString(2),
              server.getBoolean(3),
              server.getString(4),
              server.getString(5),
              server.getString(6),
              server.getBoolean(7) || connection.isReadOnly(),
              preparesThroughPooler(connection, server.getInt(8))));
      more.at(connection);
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    } catch (SQLException failed) {
      throw SqlErrors.failed("open the outbox", failed);
    }
  }

  private static void requireTogether(Connection connection) throws SQLException {
    if (connection.isWrapperFor(PGConnection.class)
        && connection.unwrap(PGConnection.class).getPreferQueryMode() == PreferQueryMode.SIMPLE) {
      throw new PostroadException(
          "with preferQueryMode=simple the driver commits every statement by itself, and messages"
              + " would be sent twice or out of order; leave it out of the JDBC URL (behind a pooler,"
              + " prepareThreshold=0 is what helps)");
    }
  }

  /**
   * Whether something between us and the server shares its connections, which is then the only one
   * to know their process ids, while the driver prepares statements on them.
   */
  private static boolean preparesThroughPooler(Connection connection, int pid) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      return false;
    }
    PGConnection driver = connection.unwrap(PGConnection.class);
    return driver.getBackendPID() != pid && driver.getPrepareThreshold() != 0;
  }

  /** The settings of a server and of this connection. */
  record Server(
      int versionNumber,
      String version,
      boolean inRecovery,
      String fsync,
      String synchronousCommit,
      String isolation,
      boolean readOnly,
      boolean preparesThroughPooler) {}

  static void check(Server server) {
    if (server.versionNumber() < OLDEST) {
      throw new PostroadException(
          "PostgreSQL must be version 16 or newer, this server is %s; upgrade it"
              .formatted(server.version()));
    }
    if (server.inRecovery()) {
      throw new PostroadException(
          "this PostgreSQL server is a read-only replica (in recovery); point the DataSource to the"
              + " primary, for example with targetServerType=primary in the JDBC URL");
    }
    if (server.readOnly()) {
      throw new PostroadException(
          "this connection to PostgreSQL is read-only; give Postroad a DataSource whose connections"
              + " can write, for a role and database without default_transaction_read_only");
    }
    if (server.preparesThroughPooler()) {
      LOG.warn(
          "postgres: a pooler is in between and the driver prepares statements: if it pools by"
              + " transaction they get mixed up, so set prepareThreshold=0 in the JDBC URL, or have"
              + " the pooler follow them (PgBouncer 1.21 or newer: max_prepared_statements)");
    }
    if (server.fsync().equals("off") || server.synchronousCommit().equals("off")) {
      LOG.warn(
          "postgres: committed messages can be lost when the server crashes: fsync={}"
              + " synchronous_commit={}; set both to on",
          server.fsync(),
          server.synchronousCommit());
    }
    if (!server.isolation().equals("read committed")) {
      LOG.warn(
          "postgres: claims and settles of several nodes will disturb each other: isolation={}; give"
              + " Postroad a DataSource whose connections are READ COMMITTED",
          server.isolation());
    }
  }
}
