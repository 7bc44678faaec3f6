package io.postroad.postgres.internal.log;

import io.postroad.message.Message;
import io.postroad.postgres.internal.append.MessageBinding;
import io.postroad.spi.HeaderBlock;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The insert of one message that is due. A parameter costs the driver and the server about as much
 * as a column, so the statement names only the columns that the message has, and spells out the
 * values that nearly all messages have.
 */
final class LogRow {
  /**
   * A column of a message.
   *
   * @param usual a value that is written into the statement
   * @param literal how it is written there
   */
  private record Column(
      String name,
      Function<Message, @Nullable Object> value,
      @Nullable Object usual,
      String literal) {
    Column(String name, Function<Message, @Nullable Object> value) {
      this(name, value, null, "?");
    }
  }

  private static final List<Column> COLUMNS =
      List.of(
          new Column("outbox_id", Message::id),
          new Column("category", message -> message.category().wireName(), "event", "'event'"),
          new Column("type", Message::type),
          new Column("aggregate_type", message -> message.aggregateType().orElse(null)),
          new Column("aggregate_id", message -> message.aggregateId().orElse(null)),
          new Column("message_key", message -> message.key().orElse(null)),
          new Column("destination", Message::destination),
          new Column("tenant", message -> message.tenant().orElse(null)),
          new Column("schema_version", Message::schemaVersion, 1, "1"),
          new Column("headers", message -> HeaderBlock.encode(message.headers()), "", "''"),
          new Column(
              "content_type",
              message -> message.payload().contentType(),
              "application/json",
              "'application/json'"),
          new Column("payload", message -> message.payload().text().orElse(null)),
          new Column("payload_bytes", MessageBinding::binary),
          new Column("dedup_key", message -> message.deduplicationKey().orElse(null)));

  private static final int ABSENT = 0;
  private static final int USUAL = 1;
  private static final int BOUND = 2;

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
      shape = shape << 2 | (values[i] == null ? ABSENT : isUsual(i, values[i]) ? USUAL : BOUND);
    }
    @Nullable String known = inserts.get(shape);
    return known != null ? known : inserts.computeIfAbsent(shape, unused -> write(values));
  }

  private String write(@Nullable Object[] values) {
    List<Integer> present =
        IntStream.range(0, values.length).filter(i -> values[i] != null).boxed().toList();
    return insert
        .replace("${present}", joined(present, i -> COLUMNS.get(i).name()))
        .replace(
            "${values}",
            joined(present, i -> isUsual(i, values[i]) ? COLUMNS.get(i).literal() : "?"));
  }

  private static String joined(List<Integer> columns, IntFunction<String> text) {
    return columns.stream().map(text::apply).collect(Collectors.joining(", "));
  }

  static void bind(PreparedStatement statement, @Nullable Object[] values, int lane)
      throws SQLException {
    int at = 0;
    for (int i = 0; i < values.length; i++) {
      @Nullable Object value = values[i];
      if (value != null && !isUsual(i, value)) {
        statement.setObject(++at, value);
      }
    }
    statement.setInt(++at, lane);
  }

  private static boolean isUsual(int column, @Nullable Object value) {
    return value != null && value.equals(COLUMNS.get(column).usual());
  }
}
