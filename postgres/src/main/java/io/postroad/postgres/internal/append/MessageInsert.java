package io.postroad.postgres.internal.append;

import io.postroad.message.Message;
import io.postroad.postgres.internal.jdbc.BatchColumns;
import io.postroad.postgres.internal.jdbc.PlanAnew;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Inserts messages into the queue: always one statement, however many there are. */
public final class MessageInsert implements Insertion {
  private final AppendSql sql;

  public MessageInsert(AppendSql sql) {
    this.sql = sql;
  }

  @Override
  public Written insert(Connection transaction, List<Message> messages) throws SQLException {
    List<UUID> stored =
        switch (messages.size()) {
          case 0 -> List.of();
          case 1 -> one(transaction, messages.get(0));
          default -> many(transaction, messages);
        };
    List<UUID> refused = new ArrayList<>();
    if (stored.size() < messages.size()) {
      messages.forEach(message -> refused.add(message.id()));
      stored.forEach(refused::remove);
    }
    return new Written(stored, refused);
  }

  @Override
  public void forget(Connection transaction, List<UUID> written) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(sql.forgetMessages)) {
      PlanAnew.at(statement);
      new BatchColumns<>(statement, written).texts(id -> id);
      statement.executeUpdate();
    }
  }

  private List<UUID> one(Connection transaction, Message message) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(sql.appendOne)) {
      MessageBinding.one(statement, message);
      statement.setObject(16, SqlTimes.notBefore(message), Types.TIMESTAMP_WITH_TIMEZONE);
      return statement.executeUpdate() == 1 ? List.of(message.id()) : List.of();
    }
  }

  private List<UUID> many(Connection transaction, List<Message> messages) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(sql.appendMany)) {
      MessageBinding.many(statement, messages);
      List<UUID> stored = new ArrayList<>(messages.size());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          stored.add(row.getObject(1, UUID.class));
        }
      }
      return stored;
    }
  }
}
