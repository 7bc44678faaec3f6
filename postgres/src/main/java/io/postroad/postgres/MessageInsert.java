package io.postroad.postgres;

import io.postroad.message.Message;
import io.postroad.message.Payload;
import io.postroad.store.HeaderBlock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Inserts messages: always one statement, however many there are. */
final class MessageInsert {
  private final AppendSql sql;

  MessageInsert(AppendSql sql) {
    this.sql = sql;
  }

  /** The ids that were stored; one that was stored before, or comes twice, is missing. */
  List<UUID> insert(Connection transaction, List<Message> messages) throws SQLException {
    return switch (messages.size()) {
      case 0 -> List.of();
      case 1 -> one(transaction, messages.get(0));
      default -> many(transaction, messages);
    };
  }

  private List<UUID> one(Connection transaction, Message message) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(sql.appendOne)) {
      Payload payload = message.payload();
      @Nullable Object notBefore = SqlTimes.notBefore(message);
      statement.setObject(1, message.id());
      statement.setString(2, message.category().wireName());
      statement.setString(3, message.type());
      statement.setString(4, message.aggregateType().orElse(null));
      statement.setString(5, message.aggregateId().orElse(null));
      statement.setString(6, message.key().orElse(null));
      statement.setString(7, message.destination());
      statement.setString(8, message.tenant().orElse(null));
      statement.setInt(9, message.schemaVersion());
      statement.setString(10, HeaderBlock.encode(message.headers()));
      statement.setString(11, payload.contentType());
      statement.setString(12, payload.text().orElse(null));
      statement.setBytes(13, binary(message));
      statement.setString(14, message.deduplicationKey().orElse(null));
      statement.setObject(15, notBefore, Types.TIMESTAMP_WITH_TIMEZONE);
      statement.setObject(16, notBefore, Types.TIMESTAMP_WITH_TIMEZONE);
      return statement.executeUpdate() == 1 ? List.of(message.id()) : List.of();
    }
  }

  private List<UUID> many(Connection transaction, List<Message> messages) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(sql.appendMany)) {
      new BatchColumns<>(statement, messages)
          .texts(Message::id)
          .texts(message -> message.category().wireName())
          .texts(Message::type)
          .texts(message -> message.aggregateType().orElse(null))
          .texts(message -> message.aggregateId().orElse(null))
          .texts(message -> message.key().orElse(null))
          .texts(Message::destination)
          .texts(message -> message.tenant().orElse(null))
          .ints(Message::schemaVersion)
          .texts(message -> HeaderBlock.encode(message.headers()))
          .texts(message -> message.payload().contentType())
          .texts(message -> message.payload().text().orElse(null))
          .bytes(MessageInsert::binary)
          .texts(message -> message.deduplicationKey().orElse(null))
          .texts(SqlTimes::notBefore);
      List<UUID> stored = new ArrayList<>(messages.size());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          stored.add(row.getObject(1, UUID.class));
        }
      }
      return stored;
    }
  }

  private static byte @Nullable [] binary(Message message) {
    return message.payload().isText() ? null : message.payload().bytes();
  }
}
