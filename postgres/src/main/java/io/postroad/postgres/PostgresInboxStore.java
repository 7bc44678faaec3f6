package io.postroad.postgres;

import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.inbox.InboxSql;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.HandedConnection;
import io.postroad.postgres.internal.jdbc.JdbcTransactions;
import io.postroad.postgres.internal.jdbc.JoinedStatement;
import io.postroad.postgres.internal.jdbc.LateWrites;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.ServerCheck;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.jdbc.TransactionLimit;
import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore;
import io.postroad.spi.InboxWaiting;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * The inbox in PostgreSQL: one row per message and handler, and one per message that waits in a
 * retry line.
 *
 * <p>Safe to use from many threads and nodes. {@code enter}, {@link #waits} and {@link #left} join
 * the transaction of the connection they are given, and are one round trip each; the others borrow
 * a connection from the DataSource, are one statement and commit it. A crash before the commit of a
 * handler's transaction leaves nothing of it, so the message comes again and is new.
 *
 * <p>{@code enter} waits for a transaction that is entering the same message for the same handler.
 * Run it on READ COMMITTED, which is PostgreSQL's default. Under REPEATABLE READ or SERIALIZABLE it
 * fails with SQLSTATE 40001 as its cause when it had to wait, and it does not see messages that
 * began to wait after the transaction's first statement: make it the first one, and repeat the
 * whole transaction.
 */
public final class PostgresInboxStore implements InboxStore<Connection> {
  private static final UUID BEFORE_ALL = new UUID(0, 0);

  private final Database database;
  private final JdbcTransactions transactions;
  private final InboxSql sql;

  private PostgresInboxStore(DataSource dataSource, PostgresOptions options) {
    database = new Database(dataSource, options.statementTimeout());
    transactions = new JdbcTransactions(dataSource);
    sql = new InboxSql(options);
  }

  /**
   * Opens the inbox in this database. Its tables come with those of the stores, so it can share
   * schema and prefix with one.
   *
   * @param dataSource a pool, or anything else that makes connections to one PostgreSQL primary; it
   *     stays the caller's
   * @throws io.postroad.schema.SchemaException when the schema does not fit
   * @throws io.postroad.message.PostroadException when the server cannot be used: too old, a
   *     read-only replica, not reachable
   */
  public static PostgresInboxStore open(DataSource dataSource, PostgresOptions options) {
    ServerCheck.run(dataSource);
    options.schemaMode().apply(new PostgresSchema(dataSource, options.withStreams(false)));
    return new PostgresInboxStore(dataSource, options);
  }

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public Transactions<Connection> transactions() {
    return transactions;
  }

  /**
   * {@inheritDoc} Two statements in one round trip, each with a snapshot of its own: the first may
   * wait for another transaction, and what was written down as waiting meanwhile must be seen.
   */
  @Override
  public Entered enter(Connection transaction, InboxEntry entry) {
    String what = "enter message %s for handler %s".formatted(entry.messageId(), entry.handler());
    AtomicBoolean isNew = new AtomicBoolean();
    return LateWrites.with(
        transaction,
        unit -> {
          new JoinedStatement(
                  "enter",
                  what,
                  sql.enter,
                  parameters -> parameters.add(entry.messageId()).add(entry.handler()))
              .later(unit, rows -> isNew.set(rows == 1));
          return new JoinedStatement(
                  "enter",
                  "find waiting messages",
                  sql.keyWaits,
                  parameters -> parameters.add(entry.order()).add(entry.key().orElse(null)))
              .read(
                  unit,
                  row -> {
                    row.next();
                    return entered(!isNew.get(), row.getBoolean(1));
                  });
        });
  }

  /** {@inheritDoc} One round trip as well. */
  @Override
  public Entered enter(Connection transaction, InboxEntry entry, Duration longest) {
    return LateWrites.with(
        transaction,
        unit -> {
          TransactionLimit.ofSilence(longest).later(unit, rows -> {});
          HandedConnection.of(unit).ifPresent(HandedConnection::mark);
          return enter(unit, entry);
        });
  }

  @Override
  public Entered look(InboxEntry entry) {
    return database.call(
        "look for message %s of handler %s".formatted(entry.messageId(), entry.handler()),
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.look)) {
            bind(statement, entry);
            try (ResultSet row = Database.query(statement)) {
              row.next();
              return entered(row.getBoolean(1), row.getBoolean(2));
            }
          }
        });
  }

  private static void bind(PreparedStatement statement, InboxEntry entry) throws SQLException {
    new Parameters(statement)
        .add(entry.messageId())
        .add(entry.handler())
        .add(entry.order())
        .add(entry.key().orElse(null));
  }

  private static Entered entered(boolean wasHere, boolean keyWaits) {
    if (wasHere) {
      return Entered.DUPLICATE;
    }
    return keyWaits ? Entered.BEHIND : Entered.NEW;
  }

  /** {@inheritDoc} Doing it again for the same {@code retryId} changes nothing. */
  @Override
  public void waits(Connection transaction, InboxEntry entry, UUID retryId) {
    String key = InboxStore.keyOf(entry);
    int unused =
        new JoinedStatement(
                "waits",
                "write down that message %s waits".formatted(entry.messageId()),
                sql.waits,
                parameters -> parameters.add(retryId).add(entry.order()).add(key))
            .write(transaction);
  }

  @Override
  public void left(Connection transaction, UUID retryId) {
    int unused =
        new JoinedStatement(
                "left",
                "write down that message %s has left its line".formatted(retryId),
                sql.left,
                parameters -> parameters.add(retryId))
            .write(transaction);
  }

  @Override
  public List<InboxWaiting> waiting(Duration longerThan, Optional<UUID> after, int limit) {
    InboxStore.checkLimit(limit);
    return database.call(
        "list waiting messages",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.waiting)) {
            new Parameters(statement)
                .add(after.orElse(BEFORE_ALL))
                .add(SqlTimes.signedMicros(longerThan))
                .add(limit);
            List<InboxWaiting> rows = new ArrayList<>();
            try (ResultSet row = Database.query(statement)) {
              while (row.next()) {
                rows.add(
                    new InboxWaiting(
                        row.getObject(1, UUID.class),
                        row.getString(2),
                        row.getString(3),
                        MessageColumns.instant(row, 4)));
              }
            }
            return rows;
          }
        });
  }

  /** {@inheritDoc} Several nodes may do it at once: they pass each other's rows by. */
  @Override
  public int purge(Duration olderThan, int limit) {
    InboxStore.checkLimit(limit);
    return database.call(
        "purge the inbox",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.purge)) {
            new Parameters(statement).add(SqlTimes.micros(olderThan)).add(limit);
            return Database.update(statement);
          }
        });
  }

  @Override
  public Instant now() {
    return database.call(
        "read the database's clock",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.now);
              ResultSet row = Database.query(statement)) {
            row.next();
            return MessageColumns.instant(row, 1);
          }
        });
  }

  @Override
  public void close() {}
}
