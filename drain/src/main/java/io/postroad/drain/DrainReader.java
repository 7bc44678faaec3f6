package io.postroad.drain;

import io.postroad.message.Message;
import io.postroad.postgres.internal.jdbc.BatchColumns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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

  /** Returns the messages of these rows, in their order; the tally counts the other rows. */
  List<DrainedMessage> read(Connection connection, String sql, List<String> ids, DrainTally tally)
      throws SQLException {
    List<DrainedMessage> messages = new ArrayList<>();
    try (PreparedStatement statement = DrainStep.prepare(connection, sql)) {
      new BatchColumns<>(statement, ids).texts(id -> id);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          String id = row.getString(1);
          try {
            message(drainRow(id, row))
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

  private DrainRow drainRow(String id, ResultSet row) throws SQLException {
    @Nullable OffsetDateTime dueAt = row.getObject(8, OffsetDateTime.class);
    return new DrainRow(
        id,
        required("type", row.getString(2)),
        required("listener or handler id", row.getString(3)),
        Optional.ofNullable(row.getString(4)),
        required("payload", row.getString(5)),
        Optional.ofNullable(row.getString(6)),
        row.getObject(7, OffsetDateTime.class).toInstant(),
        new DrainRow.Delivery(
            row.getInt(9),
            Optional.ofNullable(dueAt).filter(due -> keepsDueTimes).map(OffsetDateTime::toInstant),
            Optional.ofNullable(row.getString(10))));
  }

  private static String required(String what, @Nullable String value) {
    if (value == null) {
      throw new IllegalArgumentException("the row has no " + what);
    }
    return value;
  }
}
