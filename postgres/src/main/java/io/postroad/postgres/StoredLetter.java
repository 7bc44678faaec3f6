package io.postroad.postgres;

import io.postroad.message.Message;
import io.postroad.store.DeadLetter;
import io.postroad.store.OrderKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter and where it is stored.
 *
 * @param destination as stored, whether or not it can be read as a message
 * @param key of the message, as stored
 * @param line the name of the order key under which it waits; as lane and place, of no meaning in
 *     the queue
 */
record StoredLetter(
    DeadLetter letter,
    String destination,
    @Nullable String key,
    int lane,
    String line,
    long place) {

  private static final String UNREADABLE = "postroad.unreadable";
  private static final int KEY = 6;
  private static final int DESTINATION = 7;
  private static final int ATTEMPT = MessageColumns.COUNT + 1;
  private static final int DIED_AT = MessageColumns.COUNT + 2;
  private static final int ERROR = MessageColumns.COUNT + 3;
  private static final int PARKS = MessageColumns.COUNT + 4;
  private static final int LANE = MessageColumns.COUNT + 5;
  private static final int LINE = MessageColumns.COUNT + 6;
  private static final int PLACE = MessageColumns.COUNT + 7;

  /** A row of {@link DeadLetterSql}. */
  static StoredLetter read(ResultSet row) throws SQLException {
    return new StoredLetter(
        letter(row),
        row.getString(DESTINATION),
        row.getString(KEY),
        row.getInt(LANE),
        row.getString(LINE),
        row.getLong(PLACE));
  }

  /** Its order key, whether it waits there or not. */
  OrderKey realKey() {
    return new OrderKey(destination, key == null ? ownKey().name() : "key/" + key);
  }

  /** The order key under which it waits for nobody and nobody for it. */
  OrderKey ownKey() {
    return new OrderKey(destination, "id/" + letter.id());
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

  /** What is shown of a row that somebody has edited into something that is no message. */
  private static Message standIn(ResultSet row) throws SQLException {
    Message.Builder message = Message.event(UNREADABLE).id(MessageColumns.id(row)).json("{}");
    try {
      return message.to(row.getString(DESTINATION)).build();
    } catch (IllegalArgumentException unusable) {
      return message.to("unknown").build();
    }
  }
}
