package io.postroad.kafka;

import static io.postroad.kafka.ClientSettings.atMost;
import static io.postroad.kafka.ClientSettings.enforce;
import static io.postroad.kafka.ClientSettings.number;
import static io.postroad.kafka.ClientSettings.refuse;
import static io.postroad.kafka.ClientSettings.requireServers;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The checked settings of the user with those of Postroad, for a consumer. The table of {@link
 * KafkaReceiverOptions} explains them.
 */
record ConsumerSettings(Map<String, Object> map, int pollRecords, Duration silentFor) {
  private static final int POLLS_IN_FLIGHT = 5;
  private static final long POLL_INTERVAL_MS = 300_000;
  private static final long HEARTBEAT_MS = 3_000;
  private static final long MIN_SILENCE_MS = 10_000;
  private static final Duration COMMIT_WITHIN = Duration.ofSeconds(5);

  static ConsumerSettings of(
      Map<String, Object> settings, String groupId, int maxInFlight, Duration drainFor) {
    Map<String, Object> all = new HashMap<>(settings);
    refuse(all, ConsumerConfig.GROUP_ID_CONFIG, "the group is KafkaReceiverOptions.groupId");
    String bytes = "Postroad reads keys and payloads as bytes";
    refuse(all, ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, bytes);
    refuse(all, ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, bytes);
    requireServers(all);
    all.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
    enforce(
        all,
        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
        List.of("false"),
        "offsets are committed after the database transaction");
    all.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    all.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    all.putIfAbsent(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    if (!"consumer".equals(ClientSettings.text(all.getOrDefault("group.protocol", "classic")))) {
      all.putIfAbsent(
          ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
          CooperativeStickyAssignor.class.getName());
    }
    long records =
        number(
            all,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            Math.max(1, maxInFlight / POLLS_IN_FLIGHT));
    atMost(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, records, maxInFlight, "maxInFlight");
    checkPollInterval(all, drainFor);
    long heartbeat =
        all.containsKey(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG)
            ? number(all, ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MS)
            : HEARTBEAT_MS;
    return new ConsumerSettings(
        Map.copyOf(all), (int) records, Duration.ofMillis(Math.max(MIN_SILENCE_MS, 3 * heartbeat)));
  }

  private static void checkPollInterval(Map<String, Object> all, Duration drainFor) {
    String name = ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG;
    long interval = number(all, name, POLL_INTERVAL_MS);
    Duration needed = drainFor.plus(COMMIT_WITHIN);
    if (interval <= needed.toMillis()) {
      throw new IllegalArgumentException(
          "%s must be above drainFor plus %s (%d), got %d: a rebalance waits that long for handlers"
              .formatted(name, COMMIT_WITHIN, needed.toMillis(), interval));
    }
  }

  /** Runs Kafka's own checks, which would otherwise fail only when the receiver starts. */
  void checkByKafka() {
    Map<String, Object> all = new HashMap<>(map);
    all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    try {
      new ConsumerConfig(all);
    } catch (ConfigException e) {
      throw new IllegalArgumentException(
          "Kafka refuses the settings of the receiver: " + e.getMessage(), e);
    }
  }
}
