package io.postroad.faults;

import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.MessageSender;
import io.postroad.outbox.RelayOptions;
import java.time.Duration;

/**
 * What a {@link LaneProcess} is told on its command line.
 *
 * @param name of the relay, and of its connections to the database
 * @param sendTimeout the lease is about twice as long and 1.5 s more
 */
record LaneArgs(
    String name,
    DatabaseAddress database,
    String bootstrapServers,
    Duration sendTimeout,
    int maxAttempts) {
  private static final int MAX_BATCH = 50;

  /** What a crash may repeat, as RelayOptions says: three batches. */
  static final int MAX_IN_FLIGHT = 8 * MAX_BATCH;

  private static final Duration MARGIN = Duration.ofMillis(500);

  static LaneArgs parse(String[] args) {
    return new LaneArgs(
        args[0],
        DatabaseAddress.parse(args[1]),
        args[2],
        Duration.parse(args[3]),
        Integer.parseInt(args[4]));
  }

  String[] toArray() {
    return new String[] {
      name, database.text(), bootstrapServers, sendTimeout.toString(), Integer.toString(maxAttempts)
    };
  }

  KafkaSenderOptions toKafka() {
    return KafkaSenderOptions.of(bootstrapServers)
        .withSendTimeout(sendTimeout)
        .withSetting("max.block.ms", (int) sendTimeout.toMillis() / 2);
  }

  /** The sender's timeout, as it says itself, and a margin. */
  Duration lease() {
    Duration maxBlock = Duration.ofMillis(sendTimeout.toMillis() / 2);
    return sendTimeout.plus(maxBlock.multipliedBy(2)).plusSeconds(1).plus(MARGIN);
  }

  RelayOptions toRelay(MessageSender sender) {
    return RelayOptions.defaults()
        .withName(name)
        .withBatch(MAX_BATCH / 2)
        .withMaxBatch(MAX_BATCH)
        .withLaneLeaseFor(sender.timeout().plus(MARGIN))
        .withMaxAttempts(maxAttempts)
        .withRetention(Duration.ZERO)
        .withPurgeEvery(Duration.ofMillis(200))
        .withBackoff(
            Backoff.defaults().withFirst(Duration.ofMillis(200)).withMax(Duration.ofSeconds(1)));
  }
}
