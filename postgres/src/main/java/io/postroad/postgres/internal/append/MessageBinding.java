package io.postroad.postgres.internal.append;

import io.postroad.message.Message;
import io.postroad.message.Payload;
import io.postroad.postgres.internal.jdbc.BatchColumns;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.spi.HeaderBlock;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Binds messages to the first parameters of an insert: the columns of {@link MessageColumns} but
 * the last, {@code created_at}, which is the database's matter.
 */
public final class MessageBinding {
  /** How many parameters are bound. */
  public static final int COUNT = MessageColumns.COUNT - 1;

  private MessageBinding() {}

  /** Of the columns that are bound, in their order. */
  private static final List<String> TYPES =
      List.of(
          "uuid",
          "text",
          "text",
          "text",
          "text",
          "text",
          "text",
          "text",
          "int",
          "text",
          "text",
          "text",
          "bytea",
          "text",
          "timestamptz");

  /**
   * The statement with the names of the columns ({@code ${bound}}) and their parameters: as they
   * are ({@code ${parameters}}), of a stated type ({@code ${typed}}), or as {@link #many} binds
   * them ({@code ${arrays}}).
   */
  public static String bound(String statement) {
    return statement
        .replace("${bound}", MessageColumns.WRITE.replace(", created_at", ""))
        .replace("${parameters}", String.join(", ", Collections.nCopies(COUNT, "?")))
        .replace("${typed}", parameters("CAST(? AS %s)"::formatted))
        .replace("${arrays}", parameters(MessageBinding::array));
  }

  private static String parameters(UnaryOperator<String> ofType) {
    return TYPES.stream().map(ofType).collect(Collectors.joining(", "));
  }

  /** Ids and times travel as text: the driver looks up the type of a uuid array in the catalog. */
  private static String array(String type) {
    return type.equals("uuid") || type.equals("timestamptz")
        ? "CAST(CAST(? AS text[]) AS %s[])".formatted(type)
        : "CAST(? AS %s[])".formatted(type);
  }

  public static void one(PreparedStatement statement, Message message) throws SQLException {
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
  }

  /** Each column as one array; the caller may add columns of its own. */
  public static BatchColumns<Message> many(PreparedStatement statement, List<Message> messages)
      throws SQLException {
    return new BatchColumns<>(statement, messages)
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
        .bytes(MessageBinding::binary)
        .texts(message -> message.deduplicationKey().orElse(null))
        .texts(SqlTimes::notBefore);
  }

  public static byte @Nullable [] binary(Message message) {
    return message.payload().isText() ? null : message.payload().bytes();
  }
}
