package io.postroad.postgres.internal.admin;

import io.postroad.message.PostroadException;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.Database;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Looks and changes nothing: one message, the backlog, what is set aside, the clock. The statements
 * differ between the queue and the log, what they return does not.
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
   * What is asked.
   *
   * @param find the columns of a message, status, attempt, due time, owner, last error, whether the
   *     owner's lease holds
   * @param idParameters how often the id is a parameter of {@code find}
   * @param backlog pending, dead, lag in microseconds
   * @param blocked destination, messages, age in microseconds
   */
  public record Statements(
      String find, int idParameters, String backlog, String blocked, String now) {
    public static Statements ofQueue(OutboxSql sql, AsideSql aside) {
      return new Statements(sql.find, 1, sql.backlog, aside.count, sql.now);
    }

    public static Statements ofLog(InspectSql sql, AsideSql aside, OutboxSql queue) {
      return new Statements(sql.find, 3, sql.backlog, aside.count, queue.now);
    }
  }

  public Optional<StoredMessage> find(UUID id) {
    return query(
        "find message " + id,
        sql.find,
        statement -> bindId(statement, id),
        row -> row.next() ? Optional.of(stored(row)) : Optional.empty());
  }

  /** Whether a message with this id is stored, in the transaction of this connection. */
  boolean isStored(Connection transaction, UUID id) throws SQLException {
    try (PreparedStatement statement = database.prepare(transaction, sql.find)) {
      bindId(statement, id);
      try (ResultSet row = Database.query(statement)) {
        return row.next();
      }
    }
  }

  private void bindId(PreparedStatement statement, UUID id) throws SQLException {
    for (int i = 1; i <= sql.idParameters; i++) {
      statement.setObject(i, id);
    }
  }

  public Backlog backlog() {
    return query(
        "read the backlog",
        sql.backlog,
        statement -> {},
        row -> {
          row.next();
          // No due message: SQL NULL, which getLong gives as 0.
          Duration lag = Duration.of(row.getLong(3), ChronoUnit.MICROS);
          return new Backlog(row.getLong(1), row.getLong(2), lag);
        });
  }

  public List<BlockedDestination> blocked() {
    return query(
        "read what is set aside",
        sql.blocked,
        statement -> {},
        row -> {
          List<BlockedDestination> waiting = new ArrayList<>();
          while (row.next()) {
            Duration oldest = Duration.of(row.getLong(3), ChronoUnit.MICROS);
            waiting.add(new BlockedDestination(row.getString(1), row.getLong(2), oldest));
          }
          return waiting;
        });
  }

  public Instant now() {
    return query(
        "read the database's clock",
        sql.now,
        statement -> {},
        row -> {
          row.next();
          return MessageColumns.instant(row, 1);
        });
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

  private interface Binder {
    void bind(PreparedStatement statement) throws SQLException;
  }

  private interface Reader<R> {
    R read(ResultSet row) throws SQLException;
  }

  private <R> R query(String what, String statementText, Binder binder, Reader<R> reader) {
    return database.call(
        what,
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, statementText)) {
            binder.bind(statement);
            try (ResultSet row = Database.query(statement)) {
              return reader.read(row);
            }
          }
        });
  }
}
