package io.postroad.benchmarks.outbox;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are deleted in an open transaction while the broker gets them; then the transaction
 * commits. On a connection of its own, whose commits need not wait for the disk: losing one repeats
 * what was sent, which at-least-once allows.
 */
final class LimitBatch implements AutoCloseable {
  private static final int SIZE = 1_000;

  private static final String CLAIM =
      """
      DELETE FROM %1$s.outbox
      WHERE pos = ANY (ARRAY(
        SELECT pos
        FROM %1$s.outbox
        ORDER BY pos
        LIMIT %2$d
        FOR UPDATE SKIP LOCKED))
      RETURNING pos, topic, key, payload, id, type
      """;

  private record Row(long pos, ProducerRecord<byte[], byte[]> message) {}

  private final Connection connection;
  private final PreparedStatement claim;
  private List<Row> rows = List.of();
  private CountDownLatch unacknowledged = new CountDownLatch(0);
  private volatile @Nullable Exception failure;

  LimitBatch(Arena arena) throws SQLException {
    connection = DriverManager.getConnection(arena.jdbcUrl());
    try (PreparedStatement setting = connection.prepareStatement("SET synchronous_commit = off")) {
      setting.execute();
    }
    connection.setAutoCommit(false);
    claim = connection.prepareStatement(CLAIM.formatted(arena.schema(), SIZE));
  }

  /** Takes the next rows that nobody has; false when there are none. */
  boolean claim() throws SQLException {
    List<Row> claimed = new ArrayList<>();
    try (ResultSet result = claim.executeQuery()) {
      while (result.next()) {
        claimed.add(new Row(result.getLong("pos"), message(result)));
      }
    }
    if (claimed.isEmpty()) {
      connection.commit();
      return false;
    }
    claimed.sort(Comparator.comparingLong(Row::pos));
    rows = claimed;
    return true;
  }

  /** Texts are read as the bytes they are in the database and on the topic. */
  private static ProducerRecord<byte[], byte[]> message(ResultSet row) throws SQLException {
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(row.getString("topic"), row.getBytes("key"), row.getBytes("payload"));
    message.headers().add("event-id", row.getString("id").getBytes(StandardCharsets.US_ASCII));
    message.headers().add("event-type", row.getBytes("type"));
    return message;
  }

  void send(Producer<byte[], byte[]> producer) {
    unacknowledged = new CountDownLatch(rows.size());
    for (Row row : rows) {
      var unused = producer.send(row.message(), this::acknowledged);
    }
  }

  @SuppressWarnings("NullAway") // Kafka hands over one of the two, the other is null
  private void acknowledged(RecordMetadata metadata, Exception error) {
    if (error != null) {
      failure = error;
    }
    unacknowledged.countDown();
  }

  /** Waits for the broker and commits. */
  void settle() throws SQLException, InterruptedException {
    unacknowledged.await();
    Exception failed = failure;
    if (failed != null) {
      throw new IllegalStateException("the broker refused a message of limit", failed);
    }
    connection.commit();
  }

  /** Rolls back what was not committed. */
  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException ignored) {
      // The server rolls back when the connection ends, however it ends.
    }
  }
}
