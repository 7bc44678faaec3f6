package io.postroad.kafka;

import java.util.Map;
import java.util.Objects;

/**
 * Describes a topic to create.
 *
 * @param partitions the number of partitions; 0, the default, uses the broker's {@code
 *     num.partitions}. A later change moves keys to other partitions and breaks their order for
 *     that moment
 * @param replication the number of copies of each partition; 0, the default, uses the broker's
 *     {@code default.replication.factor}
 * @param settings settings of the topic, for example {@code retention.ms}; none by default
 */
public record TopicSpec(
    String name, int partitions, int replication, Map<String, String> settings) {

  /**
   * Checks the numbers; Kafka checks name and settings.
   *
   * @throws IllegalArgumentException if a number is wrong; the text names the topic
   */
  public TopicSpec {
    Objects.requireNonNull(name, "name of the topic");
    settings = Map.copyOf(settings);
    if (partitions < 0) {
      throw new IllegalArgumentException(
          "partitions of topic %s must be 0 (the broker's default) or more, got %d"
              .formatted(name, partitions));
    }
    if (replication < 0 || replication > Short.MAX_VALUE) {
      throw new IllegalArgumentException(
          "replication of topic %s must be 0 (the broker's default) to %d, got %d"
              .formatted(name, Short.MAX_VALUE, replication));
    }
  }

  /** Describes a topic with the broker's defaults. */
  public static TopicSpec of(String name) {
    return new TopicSpec(name, 0, 0, Map.of());
  }

  public TopicSpec withPartitions(int partitions) {
    return new TopicSpec(name, partitions, replication, settings);
  }

  public TopicSpec withReplication(int replication) {
    return new TopicSpec(name, partitions, replication, settings);
  }

  public TopicSpec withSettings(Map<String, String> settings) {
    return new TopicSpec(name, partitions, replication, settings);
  }
}
