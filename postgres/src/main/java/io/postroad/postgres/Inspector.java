package io.postroad.postgres;

import io.postroad.message.PostroadException;
import io.postroad.store.Backlog;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

/** Looks and changes nothing: one message, the backlog, the clock. */
final class Inspector {
  private static final int STATUS = MessageColumns.COUNT + 1;
  private static final int ATTEMPT = MessageColumns.COUNT + 2;
  private static final int AVAILABLE_AT = MessageColumns.COUNT + 3;
  private static final int OWNER = MessageColumns.COUNT + 4;
  private static final int LAST_ERROR = MessageColumns.COUNT + 5;
  private static final int IN_FUTURE = MessageColumns.COUNT + 6;

  private final Database database;
  private final OutboxSql sql;

  Inspector(Database database, OutboxSql sql) {
    this.database = database;
    this.sql = sql;
  }

  Optional<StoredMessage> find(UUID id) {
    return query(
        "find message " + id,
        sql.find,
        statement -> statement.setObject(1, id),
        row -> row.next() ? Optional.of(stored(row)) : Optional.empty());
  }

  Backlog backlog() {
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

  Instant now() {
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
    MessageStatus status = MessageStatus.valueOf(row.getString(STATUS));
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
