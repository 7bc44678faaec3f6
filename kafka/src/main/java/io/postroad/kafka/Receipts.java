package io.postroad.kafka;

import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Creates receipts from the broker's answers. Caches the last time and partition as text, because
 * messages come in batches. Used by the network thread of one producer.
 */
final class Receipts {
  private long millis = Long.MIN_VALUE;
  private String time = "";
  private int partition = -1;
  private String partitionText = "-1";

  Map<String, String> of(RecordMetadata metadata) {
    String topic = metadata.topic();
    String partition = partition(metadata.partition());
    if (metadata.hasOffset() && metadata.hasTimestamp()) {
      return Map.of(
          "topic",
          topic,
          "partition",
          partition,
          "offset",
          Long.toString(metadata.offset()),
          "timestamp",
          time(metadata.timestamp()));
    }
    if (metadata.hasOffset()) {
      return Map.of(
          "topic", topic, "partition", partition, "offset", Long.toString(metadata.offset()));
    }
    return metadata.hasTimestamp()
        ? Map.of("topic", topic, "partition", partition, "timestamp", time(metadata.timestamp()))
        : Map.of("topic", topic, "partition", partition);
  }

  private String partition(int number) {
    if (number != partition) {
      partition = number;
      partitionText = Integer.toString(number);
    }
    return partitionText;
  }

  private String time(long at) {
    if (at != millis) {
      time = Instant.ofEpochMilli(at).toString();
      millis = at;
    }
    return time;
  }
}
