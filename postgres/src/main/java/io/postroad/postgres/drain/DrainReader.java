package io.postroad.postgres.drain;

import io.postroad.message.Message;
import io.postroad.postgres.internal.jdbc.BatchColumns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads rows of another outbox and makes messages of them. */
final class DrainReader {
  private static final int MAX_REASON = 500;

  private final DrainMapping mapping;
  private final boolean keepsDueTimes;

  DrainReader(DrainMapping mapping, boolean keepsDueTimes) {
    this.mapping = mapping;
    this.keepsDueTimes = keepsDueTimes;
  }

  /** The messages of these rows, in their order; the tally counts the rows that are none. */
  List<DrainedMessage> read(Connection connection, String sql, List<String> ids, DrainTally tally)
      throws SQLException {
    List<DrainedMessage> messages = new ArrayList<>();
    try (PreparedStatement statement = DrainStep.prepare(connection, sql)) {
      new BatchColumns<>(statement, ids).texts(id -> id);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          String id = row.getString(1);
          Fields fields = new Fields(row);
          try {
            message(fields.drainRow(id, keepsDueTimes))
                .ifPresentOrElse(
                    message -> messages.add(new DrainedMessage(id, message)),
                    tally::notForPostroad);
          } catch (RuntimeException unmappable) {
            tally.left(id, reason(unmappable));
          }
        }
      }
    }
    return messages;
  }

  private Optional<Message> message(DrainRow row) {
    return mapping.map(row).map(message -> message.id(row.messageId()).build());
  }

  static String reason(RuntimeException failed) {
    @Nullable String text = failed.getMessage();
    String reason =
        failed.getClass().getSimpleName()
            + (text == null ? "" : ": " + text.lines().findFirst().orElse(""));
    return reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON) + "...";
  }

  /** The values of a row, read before anything can be said about them. */
  private record Fields(
      @Nullable String type,
      @Nullable String listener,
      @Nullable String key,
      @Nullable String payload,
      @Nullable String context,
      Instant createdAt,
      @Nullable OffsetDateTime dueAt,
      int failures,
      @Nullable String status) {

    Fields(ResultSet row) throws SQLException {
      this(
          row.getString(2),
          row.getString(3),
          row.getString(4),
          row.getString(5),
          row.getString(6),
          row.getObject(7, OffsetDateTime.class).toInstant(),
          row.getObject(8, OffsetDateTime.class),
          row.getInt(9),
          row.getString(10));
    }

    DrainRow drainRow(String id, boolean keepsDueTimes) {
      return new DrainRow(
          id,
          required("type", type),
          required("listener or handler id", listener),
          Optional.ofNullable(key),
          required("payload", payload),
          Optional.ofNullable(context),
          createdAt,
          Optional.ofNullable(dueAt).filter(due -> keepsDueTimes).map(OffsetDateTime::toInstant),
          failures,
          Optional.ofNullable(status));
    }

    private static String required(String what, @Nullable String value) {
      if (value == null) {
        throw new IllegalArgumentException("the row has no " + what);
      }
      return value;
    }
  }
}
