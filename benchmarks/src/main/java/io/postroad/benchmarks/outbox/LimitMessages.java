package io.postroad.benchmarks.outbox;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Messages from a hand-written relay to the broker, in the order of their positions. */
final class LimitMessages {
  private record Row(long pos, ProducerRecord<byte[], byte[]> message) {}

  private final List<Row> rows = new ArrayList<>();
  private CountDownLatch unacknowledged = new CountDownLatch(0);
  private volatile @Nullable Exception failure;

  void add(long pos, ProducerRecord<byte[], byte[]> message) {
    rows.add(new Row(pos, message));
  }

  int size() {
    return rows.size();
  }

  /** Hands the messages to the producer, without waiting for all of them. */
  void send(Producer<byte[], byte[]> producer) {
    rows.sort(Comparator.comparingLong(Row::pos));
    unacknowledged = new CountDownLatch(rows.size());
    for (Row row : rows) {
      var unused = producer.send(row.message(), this::acknowledged);
    }
  }

  @SuppressWarnings("NullAway") // Kafka passes one of the two, the other is null
  private void acknowledged(RecordMetadata metadata, Exception error) {
    if (error != null) {
      failure = error;
    }
    unacknowledged.countDown();
  }

  boolean areAcknowledged() {
    return unacknowledged.getCount() == 0;
  }

  /** Waits until the broker has accepted all messages. */
  void await() throws InterruptedException {
    unacknowledged.await();
    Exception failed = failure;
    if (failed != null) {
      throw new IllegalStateException("the broker refused a message of limit", failed);
    }
  }
}
