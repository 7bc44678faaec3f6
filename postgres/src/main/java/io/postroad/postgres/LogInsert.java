package io.postroad.postgres;

import io.postroad.message.Message;
import io.postroad.store.OrderKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Inserts messages into the log: one statement for those of a call that are due, one for those that
 * are scheduled.
 */
final class LogInsert implements Insertion {
  private final LogSql sql;
  private final LogTables tables;
  private final int lanes;

  LogInsert(LogSql sql, LogTables tables, int lanes) {
    this.sql = sql;
    this.tables = tables;
    this.lanes = lanes;
  }

  /** The log has no index that would refuse an id of another call; the schedule has one. */
  @Override
  public Written insert(Connection transaction, List<Message> messages) throws SQLException {
    if (messages.size() == 1) {
      return one(transaction, messages.get(0));
    }
    List<UUID> twice = repeated(messages);
    if (!twice.isEmpty()) {
      return new Written(List.of(), twice);
    }
    List<Message> later = messages.stream().filter(LogInsert::isScheduled).toList();
    List<UUID> stored = schedule(transaction, later);
    if (stored.size() < later.size()) {
      List<UUID> refused = new ArrayList<>(later.stream().map(Message::id).toList());
      refused.removeAll(new HashSet<>(stored));
      return new Written(stored, refused);
    }
    append(transaction, messages.stream().filter(message -> !isScheduled(message)).toList());
    return new Written(messages.stream().map(Message::id).toList(), List.of());
  }

  @Override
  public void forget(Connection transaction, List<UUID> written) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(sql.unschedule)) {
      PlanAnew.at(statement);
      new BatchColumns<>(statement, written).texts(id -> id);
      statement.executeUpdate();
    }
  }

  private Written one(Connection transaction, Message message) throws SQLException {
    String text = isScheduled(message) ? sql.scheduleOne : sql.appendOne.get(tables.current());
    try (PreparedStatement statement = transaction.prepareStatement(text)) {
      MessageBinding.one(statement, message);
      statement.setInt(MessageBinding.COUNT + 1, lane(message));
      return statement.executeUpdate() == 1
          ? new Written(List.of(message.id()), List.of())
          : new Written(List.of(), List.of(message.id()));
    }
  }

  private void append(Connection transaction, List<Message> messages) throws SQLException {
    if (messages.isEmpty()) {
      return;
    }
    String text = sql.appendMany.get(tables.current());
    try (PreparedStatement statement = transaction.prepareStatement(text)) {
      MessageBinding.many(statement, messages).ints(this::lane);
      statement.executeUpdate();
    }
  }

  private List<UUID> schedule(Connection transaction, List<Message> messages) throws SQLException {
    List<UUID> stored = new ArrayList<>(messages.size());
    if (messages.isEmpty()) {
      return stored;
    }
    try (PreparedStatement statement = transaction.prepareStatement(sql.scheduleMany)) {
      MessageBinding.many(statement, messages).ints(this::lane);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          stored.add(row.getObject(1, UUID.class));
        }
      }
    }
    return stored;
  }

  private static boolean isScheduled(Message message) {
    return message.notBefore().isPresent();
  }

  private int lane(Message message) {
    return OrderKey.of(message).lane(lanes);
  }

  private static List<UUID> repeated(List<Message> messages) {
    Set<UUID> seen = new HashSet<>();
    return messages.stream().map(Message::id).filter(id -> !seen.add(id)).toList();
  }
}
