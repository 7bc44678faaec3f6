package io.postroad.postgres.internal.log;

import io.postroad.message.PostroadException;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.jdbc.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until what a statement saw survives a crash of the server, and, if asked for, its loss.
 *
 * <p>A transaction with {@code synchronous_commit = off} can be seen before it is on disk, and one
 * of a server with asynchronous standbys before any standby has it. A message that is sent then may
 * belong to a transaction that never was.
 */
public final class DurableReads {
  private static final long POLL = Duration.ofMillis(5).toNanos();

  // A commit that waits for the disk, and with it for all that was written before; with
  // synchronous_standby_names also for these standbys. Something has to be written, or there is
  // nothing to wait for.
  private static final String FLUSH =
      LaneSql.DURABLE.stripTrailing() + ";\nSELECT pg_logical_emit_message(true, 'postroad', '')";

  private static final String HAVE_IT =
      """
      SELECT count(*) FILTER (WHERE flush_lsn >= CAST(? AS pg_lsn)), count(*)
      FROM pg_stat_replication
      WHERE flush_lsn IS NOT NULL
      """;

  private final Database database;
  private final PostgresOptions options;

  public DurableReads(Database database, PostgresOptions options) {
    this.database = database;
    this.options = options;
  }

  /**
   * Waits.
   *
   * @param upTo where the write-ahead log ended when the statement had its snapshot
   * @param flushed whether that much of it was on disk
   */
  void await(Connection connection, String upTo, boolean flushed) throws SQLException {
    if (!flushed) {
      try (PreparedStatement statement = database.prepare(connection, FLUSH)) {
        statement.execute();
      }
    }
    if (options.standbys() > 0) {
      awaitStandbys(connection, upTo);
    }
  }

  private void awaitStandbys(Connection connection, String upTo) throws SQLException {
    long until = System.nanoTime() + options.statementTimeout().toNanos();
    try (PreparedStatement statement = database.prepare(connection, HAVE_IT)) {
      statement.setString(1, upTo);
      while (true) {
        long have;
        long follow;
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          have = row.getLong(1);
          follow = row.getLong(2);
        }
        if (have >= options.standbys()) {
          return;
        }
        if (Thread.interrupted() || System.nanoTime() > until) {
          throw new PostroadException(
              "nothing was sent: PostgresOptions.standbys is %d, %d standby(s) follow and %d had the messages on disk within %s; start them, lower the option, or grant this role pg_read_all_stats if it does not see them"
                  .formatted(options.standbys(), follow, have, options.statementTimeout()));
        }
        LockSupport.parkNanos(POLL);
      }
    }
  }
}
