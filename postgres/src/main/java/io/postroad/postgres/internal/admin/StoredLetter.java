package io.postroad.postgres.internal.admin;

import io.postroad.message.Message;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.append.Unreadable;
import io.postroad.store.DeadLetter;
import io.postroad.store.OrderKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter and where it is stored.
 *
 * @param destination as stored, whether or not it can be read as a message
 * @param lane of no meaning in the queue, as everything after it
 * @param line the name of the order key under which it waits
 * @param realLine the name of its order key, whether it waits there or not
 */
record StoredLetter(
    DeadLetter letter, String destination, int lane, String line, String realLine, long place) {

  private static final String UNREADABLE = "postroad.unreadable";
  private static final int KEY = 6;
  private static final int DESTINATION = 7;
  private static final int ATTEMPT = MessageColumns.COUNT + 1;
  private static final int DIED_AT = MessageColumns.COUNT + 2;
  private static final int ERROR = MessageColumns.COUNT + 3;
  private static final int PARKS = MessageColumns.COUNT + 4;
  private static final int LANE = MessageColumns.COUNT + 5;
  private static final int LINE = MessageColumns.COUNT + 6;
  private static final int REAL_LINE = MessageColumns.COUNT + 7;
  private static final int PLACE = MessageColumns.COUNT + 8;

  /** A row of {@link DeadLetterSql}. */
  static StoredLetter read(ResultSet row) throws SQLException {
    return new StoredLetter(
        letter(row),
        destination(row),
        row.getInt(LANE),
        row.getString(LINE),
        row.getString(REAL_LINE),
        row.getLong(PLACE));
  }

  /** A row of a team's table may have none. */
  private static String destination(ResultSet row) throws SQLException {
    return Objects.requireNonNullElse(row.getString(DESTINATION), "unknown");
  }

  /** Every order key that it may have waited under, or may wait under after a decision. */
  Stream<OrderKey> keys() {
    return Stream.of(line, realLine, "id/" + letter.id())
        .map(name -> new OrderKey(destination, name));
  }

  private static DeadLetter letter(ResultSet row) throws SQLException {
    try {
      return letter(row, MessageColumns.message(row), row.getString(ERROR));
    } catch (IllegalArgumentException wrong) {
      return letter(row, standIn(row), Unreadable.error(wrong));
    }
  }

  private static DeadLetter letter(ResultSet row, Message message, String error)
      throws SQLException {
    return new DeadLetter(
        message,
        row.getInt(ATTEMPT),
        MessageColumns.appendedAt(row),
        MessageColumns.instant(row, DIED_AT),
        error,
        row.getBoolean(PARKS));
  }

  /** Returns a message that stands for a row that was edited into an invalid one. */
  private static Message standIn(ResultSet row) throws SQLException {
    UUID id = MessageColumns.id(row);
    Message.Builder standIn = Message.event(UNREADABLE).id(id).to(destination(row));
    @Nullable String key = row.getString(KEY);
    if (key != null) {
      standIn.key(key);
    }
    try {
      return standIn.json("{}").build();
    } catch (IllegalArgumentException unusable) {
      return Message.event(UNREADABLE).id(id).to("unknown").json("{}").build();
    }
  }
}
