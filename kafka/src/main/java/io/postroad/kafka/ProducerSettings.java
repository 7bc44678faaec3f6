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
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The checked settings of the user with those of Postroad, for a producer. The table of {@link
 * KafkaSenderOptions} explains them.
 */
record ProducerSettings(
    Map<String, Object> map, Duration maxBlock, Duration deliveryTimeout, int batchSize) {
  private static final long MAX_BLOCK_MS = 5_000;
  private static final long MAX_REQUEST_TIMEOUT_MS = 30_000;
  private static final long MIN_SEND_TIMEOUT_MS = 100;
  private static final int BATCH_SIZE = 128 * 1024;
  private static final int MIN_BATCH_SIZE = 1024;
  private static final Duration MARGIN = Duration.ofSeconds(1);

  static ProducerSettings of(Map<String, Object> settings, Duration sendTimeout) {
    long sendMs = checkedSendTimeout(sendTimeout);
    Map<String, Object> all = new HashMap<>(settings);
    refuseOwn(all);
    requireServers(all);
    enforce(
        all,
        ProducerConfig.ACKS_CONFIG,
        List.of("all", "-1"),
        "a message may be acknowledged only after every in-sync replica has it");
    enforce(
        all,
        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
        List.of("true"),
        "without it the producer's own retries duplicate and reorder messages");
    enforce(
        all,
        ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
        List.of("1"),
        "with more,"
            + " messages behind a refused one may arrive; raise batch.size for throughput instead");
    refuse(
        all,
        ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG,
        "true",
        "a key must stay on its partition, or its order is lost");

    long delivery = number(all, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, sendMs);
    atMost(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, delivery, sendMs, "sendTimeout");
    long linger = number(all, ProducerConfig.LINGER_MS_CONFIG, 0);
    long request =
        number(
            all,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            Math.min(MAX_REQUEST_TIMEOUT_MS, delivery * 2 / 3));
    atMost("request.timeout.ms + linger.ms", request + linger, delivery, "delivery.timeout.ms");
    long blockLimit = Math.min(MAX_BLOCK_MS, sendMs);
    long block = number(all, ProducerConfig.MAX_BLOCK_MS_CONFIG, blockLimit);
    atMost(
        ProducerConfig.MAX_BLOCK_MS_CONFIG,
        block,
        blockLimit,
        "the smaller of 5 s and sendTimeout");
    checkTransactionTimeout(all, delivery);
    // A producer that is closed in a callback would log an error of its telemetry.
    all.putIfAbsent(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, "false");
    long batchSize = number(all, ProducerConfig.BATCH_SIZE_CONFIG, BATCH_SIZE);
    atMost(ProducerConfig.BATCH_SIZE_CONFIG, batchSize, Integer.MAX_VALUE, "2 GiB");
    return new ProducerSettings(
        Map.copyOf(all), Duration.ofMillis(block), Duration.ofMillis(delivery), (int) batchSize);
  }

  /**
   * Returns the settings with a quarter of the batch size, and finally with batches of one message.
   */
  ProducerSettings withSmallerBatches() {
    int smaller = batchSize / 4 < MIN_BATCH_SIZE ? 0 : batchSize / 4;
    Map<String, Object> all = new HashMap<>(map);
    all.put(ProducerConfig.BATCH_SIZE_CONFIG, String.valueOf(smaller));
    return new ProducerSettings(Map.copyOf(all), maxBlock, deliveryTimeout, smaller);
  }

  /** Returns the settings for a producer that sends in transactions. */
  ProducerSettings withTransactionalId(String id) {
    Map<String, Object> all = new HashMap<>(map);
    all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
    all.putIfAbsent(
        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, String.valueOf(timeout().toMillis()));
    return new ProducerSettings(Map.copyOf(all), maxBlock, deliveryTimeout, batchSize);
  }

  /** Returns whether the user configured a partitioner. */
  boolean hasOwnPartitioner() {
    return map.containsKey(ProducerConfig.PARTITIONER_CLASS_CONFIG);
  }

  /**
   * Returns the longest time from the call of send to the last outcome; {@link
   * KafkaSender#timeout()} explains it.
   */
  Duration timeout() {
    return deliveryTimeout.plus(maxBlock.multipliedBy(2)).plus(MARGIN);
  }

  /** Runs Kafka's own checks, which would otherwise fail only at the first send. */
  void checkByKafka() {
    Map<String, Object> all = new HashMap<>(map);
    all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    try {
      new ProducerConfig(all);
    } catch (ConfigException e) {
      throw new IllegalArgumentException(
          "Kafka refuses the settings of the sender: " + e.getMessage(), e);
    }
  }

  private static long checkedSendTimeout(Duration sendTimeout) {
    long millis = sendTimeout.toMillis();
    if (millis < MIN_SEND_TIMEOUT_MS || millis > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "KafkaSenderOptions.sendTimeout must be between %d ms and %d ms, got %s"
              .formatted(MIN_SEND_TIMEOUT_MS, Integer.MAX_VALUE, sendTimeout));
    }
    return millis;
  }

  private static void checkTransactionTimeout(Map<String, Object> all, long delivery) {
    String name = ProducerConfig.TRANSACTION_TIMEOUT_CONFIG;
    if (all.containsKey(name) && number(all, name, 0) < delivery) {
      throw new IllegalArgumentException(
          "%s must be at least delivery.timeout.ms (%d), got %s: its messages may take that long"
              .formatted(name, delivery, all.get(name)));
    }
  }

  private static void refuseOwn(Map<String, Object> all) {
    String why = "Postroad sends keys and payloads as bytes";
    refuse(all, ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, why);
    refuse(all, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, why);
    if (all.containsKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG)) {
      throw new IllegalArgumentException(
          "transactional.id must not be set: it would be the same for all lanes; use"
              + " KafkaSenderOptions.withTransactionalIdPrefix instead");
    }
  }
}
