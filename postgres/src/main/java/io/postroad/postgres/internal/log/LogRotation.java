package io.postroad.postgres.internal.log;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.append.KeyPurger;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.store.Finding;
import io.postroad.store.PurgeResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PURGE: empties tables of the log whose messages are all delivered and old enough, and removes
 * positions, nodes and deduplication keys that are no longer needed.
 *
 * <p>A table is looked at first, then locked against all sessions, read again and truncated. Under
 * the lock no transaction that has written to it can be open, so what is looked at is all there is.
 * Other sessions that use the table wait meanwhile, so the wait for the lock is short, and for the
 * table that is written now there is none.
 */
public final class LogRotation {
  private static final Logger LOG = LoggerFactory.getLogger(LogRotation.class);
  private static final String LOCK_TIMEOUT = "200ms";
  private static final String LOCK_AT_ONCE = "1ms";
  private static final int POSITIONS_KEPT = 16;

  private final Database database;
  private final RotationSql sql;
  private final LogTables tables;
  private final LogLocks locks;
  private final KeyPurger keys;
  private final String lockName;

  public LogRotation(
      Database database,
      RotationSql sql,
      LogTables tables,
      KeyPurger keys,
      PostgresOptions options) {
    this.database = database;
    this.sql = sql;
    this.tables = tables;
    this.locks = new LogLocks(database, sql);
    this.keys = keys;
    this.lockName = "postroad rotation " + options.qualified("");
  }

  public PurgeResult purge(Duration olderThan, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("purge limit must be 1 or more, got " + limit);
    }
    tables.requireKeepable(olderThan);
    long messages = 0;
    List<String> blockedBy = new ArrayList<>();
    for (int table = 0; table < LogSql.TABLES; table++) {
      if (state(table).mayGo(olderThan)) {
        messages += empty(table, olderThan, blockedBy);
      }
    }
    int unused = purgePositions() + purgeNodes();
    return new PurgeResult(messages, keys.purge(limit) == limit, blockedBy);
  }

  /** Returns the tables that should have been emptied by now, with the sessions that keep them. */
  public List<Finding> examine() {
    List<Finding> findings = new ArrayList<>();
    for (int table = 0; table < LogSql.TABLES; table++) {
      int each = table;
      if (state(table).mayGo(tables.longestRetention())) {
        List<String> holders =
            database.call(
                "find the sessions that use the log", connection -> holders(connection, each));
        findings.add(
            Finding.warning(
                "blocked-rotation",
                "outbox_log_%d has only delivered messages that are older than any may be kept; %s"
                    .formatted(
                        table,
                        holders.isEmpty() ? "no session uses it" : String.join("; ", holders)),
                holders.isEmpty()
                    ? "look whether a relay runs: it purges once a minute"
                    : "end that transaction; the log keeps growing until then"));
      }
    }
    return findings;
  }

  /**
   * The content of a table.
   *
   * @param pending whether something in it is not delivered
   * @param empty whether there is nothing in it
   * @param age how long ago its newest message was appended
   */
  private record State(boolean pending, boolean empty, Duration age) {
    boolean mayGo(Duration olderThan) {
      return !pending && !empty && age.compareTo(olderThan) >= 0;
    }
  }

  private State state(int table) {
    return database.call("look at a table of the log", connection -> state(connection, table));
  }

  private State state(Connection connection, int table) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.state.get(table));
        ResultSet row = Database.query(statement)) {
      row.next();
      boolean pending = row.getBoolean(1);
      long age = row.getLong(2);
      return new State(pending, row.wasNull(), Duration.ofNanos(age * 1_000));
    }
  }

  private long empty(int table, Duration olderThan, List<String> blockedBy) {
    String patience = table == tables.current() ? LOCK_AT_ONCE : LOCK_TIMEOUT;
    return database.transact(
        "empty a table of the log",
        connection -> {
          if (!tryAlone(connection)) {
            return 0L;
          }
          if (!locks.lock(connection, sql.lock.get(table), patience)) {
            blockedBy.addAll(holders(connection, table));
            return 0L;
          }
          if (!state(connection, table).mayGo(olderThan)) {
            return 0L;
          }
          long messages = number(connection, sql.count.get(table));
          execute(connection, sql.truncate.get(table));
          LOG.info(
              "postgres: a table of the log was emptied: table=outbox_log_{} messages={}",
              table,
              messages);
          return messages;
        });
  }

  private boolean tryAlone(Connection connection) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.tryAlone)) {
      statement.setString(1, lockName);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  private List<String> holders(Connection connection, int table) throws SQLException {
    return locks.holders(connection, table, true).stream()
        .map(each -> "outbox_log_%d cannot be emptied: %s".formatted(table, each))
        .toList();
  }

  private int purgePositions() {
    return database.call(
        "purge positions",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.purgeCursors)) {
            statement.setInt(1, POSITIONS_KEPT);
            return Database.update(statement);
          }
        });
  }

  private int purgeNodes() {
    return database.call(
        "purge nodes",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.purgeNodes)) {
            return Database.update(statement);
          }
        });
  }

  private long number(Connection connection, String text) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, text);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private void execute(Connection connection, String text) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, text)) {
      statement.executeUpdate();
    }
  }
}
