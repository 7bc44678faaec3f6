package io.postroad.postgres.internal.admin;

import io.postroad.message.PostroadException;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.queue.OutboxSql;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads one message, the backlog, the blocked destinations and the clock, and changes nothing. The
 * queue and the log have their own statements with the same results.
 */
public final class Inspector {
  private static final int STATUS = MessageColumns.COUNT + 1;
  private static final int ATTEMPT = MessageColumns.COUNT + 2;
  private static final int AVAILABLE_AT = MessageColumns.COUNT + 3;
  private static final int OWNER = MessageColumns.COUNT + 4;
  private static final int LAST_ERROR = MessageColumns.COUNT + 5;
  private static final int IN_FUTURE = MessageColumns.COUNT + 6;

  private final Database database;
  private final Statements sql;

  public Inspector(Database database, Statements sql) {
    this.database = database;
    this.sql = sql;
  }

  /**
   * The statements of a store.
   *
   * @param find the columns of a message, status, attempt, due time, owner, last error, whether the
   *     owner's lease holds
   * @param idParameters how often the id is a parameter of {@code find}
   * @param backlog pending, dead, lag in microseconds
   * @param blocked destination, messages, age in microseconds
   */
  public record Statements(
      String find, int idParameters, String backlog, String blocked, String now) {
    public static Statements ofQueue(OutboxSql sql, BlockedDestinationSql aside) {
      return new Statements(sql.find, 1, sql.backlog, aside.count, sql.now);
    }

    public static Statements ofLog(InspectSql sql, BlockedDestinationSql aside, OutboxSql queue) {
      return new Statements(sql.find, 3, sql.backlog, aside.count, queue.now);
    }
  }

  public Optional<StoredMessage> find(UUID id) {
    return database
        .list(
            "find message " + id, sql.find, parameters -> bindId(parameters, id), Inspector::stored)
        .stream()
        .findFirst();
  }

  /** Returns whether a message with this id is stored, in the transaction of this connection. */
  boolean isStored(Connection transaction, UUID id) throws SQLException {
    try (PreparedStatement statement = database.prepare(transaction, sql.find)) {
      bindId(new Parameters(statement), id);
      try (ResultSet row = Database.query(statement)) {
        return row.next();
      }
    }
  }

  private void bindId(Parameters parameters, UUID id) throws SQLException {
    for (int i = 1; i <= sql.idParameters; i++) {
      parameters.add(id);
    }
  }

  public Backlog backlog() {
    return one(
        "read the backlog",
        sql.backlog,
        row -> new Backlog(row.getLong(1), row.getLong(2), duration(row)));
  }

  /** Returns the third column; without a message it is NULL, which getLong returns as 0. */
  private static Duration duration(ResultSet row) throws SQLException {
    return Duration.of(row.getLong(3), ChronoUnit.MICROS);
  }

  public List<BlockedDestination> blocked() {
    return database.list(
        "count messages of blocked destinations",
        sql.blocked,
        parameters -> {},
        row -> new BlockedDestination(row.getString(1), row.getLong(2), duration(row)));
  }

  public Instant now() {
    return one("read the database's clock", sql.now, row -> MessageColumns.instant(row, 1));
  }

  private <R> R one(String what, String statement, Database.RowReader<R> reader) {
    return database.list(what, statement, parameters -> {}, reader).get(0);
  }

  private static StoredMessage stored(ResultSet row) throws SQLException {
    Optional<String> owner = Optional.ofNullable(row.getString(OWNER));
    @Nullable String word = row.getString(STATUS);
    if (word == null) {
      throw new PostroadException(
          "message %s has a status that its layout does not know; correct its row"
              .formatted(MessageColumns.id(row)));
    }
    MessageStatus status = MessageStatus.valueOf(word);
    boolean leaseHolds = owner.isPresent() && row.getBoolean(IN_FUTURE);
    try {
      return new StoredMessage(
          MessageColumns.message(row),
          leaseHolds ? MessageStatus.PROCESSING : status,
          row.getInt(ATTEMPT),
          MessageColumns.appendedAt(row),
          MessageColumns.instant(row, AVAILABLE_AT),
          owner,
          Optional.ofNullable(row.getString(LAST_ERROR)));
    } catch (IllegalArgumentException unreadable) {
      throw new PostroadException(
          "message %s cannot be read: %s; correct or delete its row"
              .formatted(MessageColumns.id(row), unreadable.getMessage()),
          unreadable);
    }
  }
}
