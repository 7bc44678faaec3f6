package io.postroad.faults;

import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.RelayOptions;
import java.time.Duration;

/**
 * Arguments of a {@link LaneProcess}.
 *
 * @param name of the relay, and of its connections to the database
 * @param sendTimeout a send may take about twice as long and 1 s more
 * @param lease of the lane
 */
record LaneArgs(
    String name,
    DatabaseAddress database,
    String bootstrapServers,
    Duration sendTimeout,
    int maxAttempts,
    Duration lease) {
  private static final int MAX_BATCH = 50;

  /** Number of messages that a crash may repeat, as RelayOptions says: three batches. */
  static final int MAX_IN_FLIGHT = 8 * MAX_BATCH;

  /** Shorter than a send may take: the sends of a dead owner may end after the take-over. */
  static final Duration SHORT_LEASE = Duration.ofSeconds(4);

  static LaneArgs parse(String[] args) {
    return new LaneArgs(
        args[0],
        DatabaseAddress.parse(args[1]),
        args[2],
        Duration.parse(args[3]),
        Integer.parseInt(args[4]),
        Duration.parse(args[5]));
  }

  String[] toArray() {
    return new String[] {
      name,
      database.text(),
      bootstrapServers,
      sendTimeout.toString(),
      Integer.toString(maxAttempts),
      lease.toString()
    };
  }

  KafkaSenderOptions toKafka() {
    return KafkaSenderOptions.of(bootstrapServers)
        .withSendTimeout(sendTimeout)
        .withSetting("max.block.ms", (int) sendTimeout.toMillis() / 2);
  }

  RelayOptions toRelay() {
    return RelayOptions.defaults()
        .withName(name)
        .withBatch(MAX_BATCH / 2)
        .withMaxBatch(MAX_BATCH)
        .withLaneLeaseFor(lease)
        .withMaxAttempts(maxAttempts)
        .withRetention(Duration.ZERO)
        .withPurgeEvery(Duration.ofMillis(200))
        .withBackoff(
            Backoff.defaults().withFirst(Duration.ofMillis(200)).withMax(Duration.ofSeconds(1)));
  }
}
