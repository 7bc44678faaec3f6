package io.postroad.postgres;

import io.postroad.message.Message;
import io.postroad.store.HeaderBlock;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The insert of one message that is due, with only the columns that the message has: a parameter
 * costs the server and the driver about as much as a column.
 */
final class LogRow {
  private record Column(String name, Function<Message, @Nullable Object> value) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("outbox_id", Message::id),
          new Column("category", message -> message.category().wireName()),
          new Column("type", Message::type),
          new Column("aggregate_type", message -> message.aggregateType().orElse(null)),
          new Column("aggregate_id", message -> message.aggregateId().orElse(null)),
          new Column("message_key", message -> message.key().orElse(null)),
          new Column("destination", Message::destination),
          new Column("tenant", message -> message.tenant().orElse(null)),
          new Column("schema_version", Message::schemaVersion),
          new Column("headers", message -> HeaderBlock.encode(message.headers())),
          new Column("content_type", message -> message.payload().contentType()),
          new Column("payload", message -> message.payload().text().orElse(null)),
          new Column("payload_bytes", MessageBinding::binary),
          new Column("dedup_key", message -> message.deduplicationKey().orElse(null)));

  private final String insert;
  private final ConcurrentMap<Integer, String> inserts = new ConcurrentHashMap<>();

  LogRow(String insert) {
    this.insert = insert;
  }

  /** A message as its columns. */
  static @Nullable Object[] values(Message message) {
    @Nullable Object[] values = new @Nullable Object[COLUMNS.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = COLUMNS.get(i).value().apply(message);
    }
    return values;
  }

  /** The statement; its last parameter is the lane. */
  String statement(@Nullable Object[] values) {
    int shape = 0;
    for (int i = 0; i < values.length; i++) {
      shape |= values[i] == null ? 0 : 1 << i;
    }
    @Nullable String known = inserts.get(shape);
    return known != null ? known : inserts.computeIfAbsent(shape, this::write);
  }

  private String write(int shape) {
    List<String> names =
        IntStream.range(0, COLUMNS.size())
            .filter(i -> (shape & 1 << i) != 0)
            .mapToObj(i -> COLUMNS.get(i).name())
            .toList();
    return insert
        .replace("${present}", String.join(", ", names))
        .replace("${parameters}", String.join(", ", Collections.nCopies(names.size(), "?")));
  }

  static void bind(PreparedStatement statement, @Nullable Object[] values, int lane)
      throws SQLException {
    int at = 0;
    for (@Nullable Object value : values) {
      if (value != null) {
        statement.setObject(++at, value);
      }
    }
    statement.setInt(++at, lane);
  }
}
