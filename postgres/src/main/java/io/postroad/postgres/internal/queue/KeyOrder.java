package io.postroad.postgres.internal.queue;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.postgres.internal.adopt.AdoptedSql;
import io.postroad.postgres.internal.jdbc.BatchColumns;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.PlanAnew;
import io.postroad.spi.WakeUps;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages of one key one after the other, in a table where every row has its own state: a claim
 * takes a row only if no earlier one of its key is undelivered. Rows behind another are put off, so
 * that claims do not meet them again and again, and are woken when the one before them is out of
 * the way. A crash in between, or a row that was changed by hand, is made good when they are looked
 * at again: after 30 s, then after twice as long each time, up to an hour.
 */
public final class KeyOrder {
  private static final Logger LOG = LoggerFactory.getLogger(KeyOrder.class);
  private static final int AT_ONCE = 1_000;
  private static final int ROUNDS = 1_000;

  private final Database database;
  private final WakeUps wakeUps;
  private final String block;
  private final String blockOfStream;
  private final String wake;
  private final String wakeWithoutSettings;

  public KeyOrder(Database database, WakeUps wakeUps, AdoptedSql sql) {
    this.database = database;
    this.wakeUps = wakeUps;
    this.block = OutboxSql.BY_INDEX + sql.block();
    this.blockOfStream = OutboxSql.BY_INDEX + sql.blockOfStream();
    this.wakeWithoutSettings = sql.wake();
    this.wake = OutboxSql.BY_INDEX + sql.wake();
  }

  /** Puts off what is due and behind another, so that a claim meets what it can take. */
  public void putOff(Optional<String> destination) {
    String text = destination.isPresent() ? blockOfStream : block;
    for (int round = 0; round < ROUNDS; round++) {
      int blocked =
          database.call(
              "put off messages behind others of their key",
              connection -> {
                try (PreparedStatement statement = database.prepare(connection, text)) {
                  new Parameters(statement).stream(destination).add(AT_ONCE);
                  return Database.update(statement);
                }
              });
      if (blocked < AT_ONCE / 2) {
        return;
      }
    }
  }

  /** These are out of the way: delivered, or gone. */
  public void wakeAfter(Stream<Message> gone) {
    List<Map.Entry<String, String>> keys = keys(gone);
    if (keys.isEmpty()) {
      return;
    }
    try {
      if (database.call("wake messages behind delivered ones", connection -> wake(connection, keys))
          > 0) {
        wakeUps.signal();
      }
    } catch (PostroadException failed) {
      // The settlement stands: the caller must not take it for failed.
      LOG.warn(
          "postgres: messages behind delivered ones go later; keys={} error={}",
          keys.size(),
          failed.getMessage());
    }
  }

  /** On a connection of a user, whose settings stay as they are; whether one was woken. */
  public boolean wakeBehind(Connection transaction, Message delivered) throws SQLException {
    List<Map.Entry<String, String>> keys = keys(Stream.of(delivered));
    if (keys.isEmpty()) {
      return false;
    }
    try (PreparedStatement statement = transaction.prepareStatement(wakeWithoutSettings)) {
      PlanAnew.at(statement);
      bind(statement, keys);
      return statement.executeUpdate() > 0;
    }
  }

  /** {@link #wakeAfter} in a transaction of the store. */
  public void wakeAfter(Connection transaction, Stream<Message> gone) throws SQLException {
    wake(transaction, keys(gone));
  }

  private int wake(Connection connection, List<Map.Entry<String, String>> keys)
      throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, wake)) {
      bind(statement, keys);
      return Database.update(statement);
    }
  }

  private static void bind(PreparedStatement statement, List<Map.Entry<String, String>> keys)
      throws SQLException {
    new BatchColumns<>(statement, keys).texts(Map.Entry::getKey).texts(Map.Entry::getValue);
  }

  private static List<Map.Entry<String, String>> keys(Stream<Message> messages) {
    return messages
        .filter(message -> message.key().isPresent())
        .map(message -> Map.entry(message.destination(), message.key().orElseThrow()))
        .distinct()
        .toList();
  }
}
