package io.postroad.postgres.internal.log;

import io.postroad.message.Message;
import io.postroad.postgres.internal.append.Insertion;
import io.postroad.postgres.internal.append.MessageBinding;
import io.postroad.postgres.internal.jdbc.BatchColumns;
import io.postroad.postgres.internal.jdbc.PlanAnew;
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
import org.jspecify.annotations.Nullable;

/**
 * Inserts messages into the log, and those that are not due yet into the schedule: always one
 * statement, however many there are.
 */
public final class LogInsert implements Insertion {
  private final LogSql sql;
  private final List<LogRow> rows;
  private final LogTables tables;
  private final int lanes;

  public LogInsert(LogSql sql, LogTables tables, int lanes) {
    this.sql = sql;
    this.rows = sql.appendOne.stream().map(LogRow::new).toList();
    this.tables = tables;
    this.lanes = lanes;
  }

  /** The log has no index that would refuse an id of another call; the schedule has one. */
  @Override
  public Written insert(Connection transaction, List<Message> messages) throws SQLException {
    if (messages.size() == 1 && messages.get(0).notBefore().isEmpty()) {
      appendOne(transaction, messages.get(0));
      return new Written(List.of(messages.get(0).id()), List.of());
    }
    List<UUID> twice = repeated(messages);
    if (!twice.isEmpty()) {
      return new Written(List.of(), twice);
    }
    if (messages.stream().anyMatch(message -> message.notBefore().isPresent())) {
      return schedule(transaction, messages);
    }
    if (!messages.isEmpty()) {
      appendMany(transaction, messages);
    }
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

  private void appendOne(Connection transaction, Message message) throws SQLException {
    @Nullable Object[] values = LogRow.values(message);
    String text = rows.get(tables.current()).statement(values);
    try (PreparedStatement statement = transaction.prepareStatement(text)) {
      LogRow.bind(statement, values, lane(message));
      statement.executeUpdate();
    }
  }

  private void appendMany(Connection transaction, List<Message> messages) throws SQLException {
    String text = sql.appendMany.get(tables.current());
    try (PreparedStatement statement = transaction.prepareStatement(text)) {
      MessageBinding.many(statement, messages).ints(this::lane);
      statement.executeUpdate();
    }
  }

  private Written schedule(Connection transaction, List<Message> messages) throws SQLException {
    List<UUID> written = new ArrayList<>();
    List<UUID> refused = new ArrayList<>();
    String text = sql.schedule.get(tables.current());
    try (PreparedStatement statement = transaction.prepareStatement(text)) {
      MessageBinding.many(statement, messages).ints(this::lane);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          (row.getBoolean(2) ? refused : written).add(row.getObject(1, UUID.class));
        }
      }
    }
    return new Written(written, refused);
  }

  private int lane(Message message) {
    return OrderKey.of(message).lane(lanes);
  }

  private static List<UUID> repeated(List<Message> messages) {
    Set<UUID> seen = new HashSet<>();
    return messages.stream().map(Message::id).filter(id -> !seen.add(id)).toList();
  }
}
