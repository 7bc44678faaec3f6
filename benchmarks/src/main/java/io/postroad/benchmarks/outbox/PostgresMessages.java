package io.postroad.benchmarks.outbox;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Reads rows of a hand-written outbox on PostgreSQL. */
final class PostgresMessages {
  /** The columns for {@link #add}, in this order. */
  static final String COLUMNS = "pos, topic, key, payload, id, type";

  private PostgresMessages() {}

  /** Adds a row. Texts are read as bytes, as they are in the database and on the topic. */
  static void add(ResultSet row, LimitMessages messages) throws SQLException {
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(row.getString(2), row.getBytes(3), row.getBytes(4));
    message.headers().add("event-id", row.getString(5).getBytes(StandardCharsets.US_ASCII));
    message.headers().add("event-type", row.getBytes(6));
    messages.add(row.getLong(1), message);
  }
}
