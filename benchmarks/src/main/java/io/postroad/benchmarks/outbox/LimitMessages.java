package io.postroad.benchmarks.outbox;

import java.nio.charset.StandardCharsets;
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

/** Rows on their way from a hand-written relay to the broker, in the order of their positions. */
final class LimitMessages {
  /** What {@link #add} reads, in this order. */
  static final String COLUMNS = "pos, topic, key, payload, id, type";

  private record Row(long pos, ProducerRecord<byte[], byte[]> message) {}

  private final List<Row> rows = new ArrayList<>();
  private CountDownLatch unacknowledged = new CountDownLatch(0);
  private volatile @Nullable Exception failure;

  /** Texts are read as the bytes they are in the database and on the topic. */
  void add(ResultSet row) throws SQLException {
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(row.getString(2), row.getBytes(3), row.getBytes(4));
    message.headers().add("event-id", row.getString(5).getBytes(StandardCharsets.US_ASCII));
    message.headers().add("event-type", row.getBytes(6));
    rows.add(new Row(row.getLong(1), message));
  }

  int size() {
    return rows.size();
  }

  /** Hands them to the producer; when it returns, some are under way. */
  void send(Producer<byte[], byte[]> producer) {
    rows.sort(Comparator.comparingLong(Row::pos));
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

  boolean areAcknowledged() {
    return unacknowledged.getCount() == 0;
  }

  /** Waits until the broker has them all. */
  void await() throws InterruptedException {
    unacknowledged.await();
    Exception failed = failure;
    if (failed != null) {
      throw new IllegalStateException("the broker refused a message of limit", failed);
    }
  }
}
