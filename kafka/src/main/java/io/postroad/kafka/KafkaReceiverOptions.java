package io.postroad.kafka;

import io.postroad.inbox.IncomingBuilder;
import io.postroad.internal.loop.Check;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Options of a {@link KafkaReceiver}. Immutable. The constructor refuses wrong and unsafe settings.
 *
 * <table>
 * <caption>Consumer settings that Postroad sets or limits; all others are free</caption>
 * <tr><th>setting</th><th>value</th><th>reason</th></tr>
 * <tr><td>{@code enable.auto.commit}</td><td>{@code false}, nothing else</td><td>a record is
 *     acknowledged after its handler has committed</td></tr>
 * <tr><td>{@code auto.offset.reset}</td><td>{@code earliest}; free</td><td>a new group misses
 *     nothing</td></tr>
 * <tr><td>{@code isolation.level}</td><td>{@code read_committed}; free</td><td>records of aborted
 *     transactions are not handled</td></tr>
 * <tr><td>{@code partition.assignment.strategy}</td><td>cooperative-sticky; free. Not set with
 *     {@code group.protocol=consumer}</td><td>a rebalance stops only the partitions that
 *     move</td></tr>
 * <tr><td>{@code max.poll.records}</td><td>a fifth of {@code maxInFlight}; not more than
 *     it</td><td>the records of one poll must fit</td></tr>
 * <tr><td>{@code max.poll.interval.ms}</td><td>Kafka's 5 min; more than {@code drainFor} and 5
 *     s</td><td>polling continues while handlers run and pauses only to drain</td></tr>
 * <tr><td>{@code allow.auto.create.topics}</td><td>{@code false}; free</td><td>a misspelt topic is
 *     not created</td></tr>
 * <tr><td>{@code key.deserializer}, {@code value.deserializer}, {@code group.id}</td><td>not
 *     set</td><td>Postroad reads bytes; the group is {@code groupId}</td></tr>
 * </table>
 *
 * @param settings Kafka's consumer settings; {@code bootstrap.servers} is required
 * @param groupId the consumer group; its receivers share the partitions; replies to commands have
 *     another group, see {@link KafkaReceiver}
 * @param topics the topics to receive; empty, the default, for the destinations of the inbox's
 *     handlers
 * @param concurrency the number of handlers that run at once; 10. Use at most half of the
 *     connection pool
 * @param maxInFlight the most records of each group that wait or are being handled; 500
 * @param maxInFlightBytes the most bytes of these records; 64 MiB. One poll may exceed it
 * @param maxBodyBytes the largest body that handlers get, up to 8 MiB; 1 MiB. A message with a
 *     larger body becomes a dead letter
 * @param commitEvery the interval of offset commits, which also happen every 1,000 records; 1 s.
 *     After a crash that many records are delivered again
 * @param drainFor how long a stop and a rebalance wait for running handlers; 10 s
 * @param messageId returns the id of a record for deduplication, or empty to use its header {@code
 *     event-id} or its position; by default always empty
 */
public record KafkaReceiverOptions(
    Map<String, Object> settings,
    String groupId,
    Set<String> topics,
    int concurrency,
    int maxInFlight,
    long maxInFlightBytes,
    int maxBodyBytes,
    Duration commitEvery,
    Duration drainFor,
    Function<ConsumerRecord<byte[], byte[]>, Optional<String>> messageId) {
  private static final long MIB = 1024 * 1024;

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException if a value is wrong; the text has the setting, its value and
   *     the reason
   */
  public KafkaReceiverOptions {
    settings = Map.copyOf(settings);
    topics = Set.copyOf(topics);
    if (groupId.isBlank()) {
      throw new IllegalArgumentException(
          "KafkaReceiverOptions.groupId must not be blank; name the service, for example billing");
    }
    Check.atLeast(1, concurrency, "KafkaReceiverOptions.concurrency");
    Check.atLeast(1, maxInFlight, "KafkaReceiverOptions.maxInFlight");
    Check.atLeast(1, maxBodyBytes, "KafkaReceiverOptions.maxBodyBytes");
    Check.atMost(IncomingBuilder.MAX_BYTES, maxBodyBytes, "KafkaReceiverOptions.maxBodyBytes");
    Check.positive(commitEvery, "KafkaReceiverOptions.commitEvery");
    Check.positive(drainFor, "KafkaReceiverOptions.drainFor");
    if (maxInFlightBytes < 1) {
      throw new IllegalArgumentException(
          "expected KafkaReceiverOptions.maxInFlightBytes to be 1 or more, got "
              + maxInFlightBytes);
    }
    ConsumerSettings.of(settings, groupId, maxInFlight, drainFor);
  }

  /** Returns the defaults for brokers, given as {@code host:port,host:port}, and a group. */
  public static KafkaReceiverOptions of(String bootstrapServers, String groupId) {
    return new KafkaReceiverOptions(
        Map.of("bootstrap.servers", bootstrapServers),
        groupId,
        Set.of(),
        10,
        500,
        64 * MIB,
        (int) MIB,
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        record -> Optional.empty());
  }

  /** Adds a consumer setting, for example {@code client.rack}. */
  public KafkaReceiverOptions withSetting(String name, Object value) {
    return withSettings(Map.of(name, value));
  }

  /** Adds consumer settings; they replace settings of the same name. */
  public KafkaReceiverOptions withSettings(Map<String, ?> more) {
    Map<String, Object> all = new TreeMap<>(settings);
    all.putAll(more);
    return copy(all, topics, concurrency, commitEvery, drainFor, messageId);
  }

  public KafkaReceiverOptions withTopics(Set<String> topics) {
    return copy(settings, topics, concurrency, commitEvery, drainFor, messageId);
  }

  public KafkaReceiverOptions withConcurrency(int concurrency) {
    return copy(settings, topics, concurrency, commitEvery, drainFor, messageId);
  }

  public KafkaReceiverOptions withCommitEvery(Duration commitEvery) {
    return copy(settings, topics, concurrency, commitEvery, drainFor, messageId);
  }

  public KafkaReceiverOptions withDrainFor(Duration drainFor) {
    return copy(settings, topics, concurrency, commitEvery, drainFor, messageId);
  }

  public KafkaReceiverOptions withMessageId(
      Function<ConsumerRecord<byte[], byte[]>, Optional<String>> messageId) {
    return copy(settings, topics, concurrency, commitEvery, drainFor, messageId);
  }

  /** Sets both limits of records in memory. */
  public KafkaReceiverOptions withMaxInFlight(int records, long bytes) {
    return new KafkaReceiverOptions(
        settings,
        groupId,
        topics,
        concurrency,
        records,
        bytes,
        maxBodyBytes,
        commitEvery,
        drainFor,
        messageId);
  }

  /**
   * Sets the limit of bodies. The consumer accepts one record of any size; the retry store must
   * accept it, too.
   */
  public KafkaReceiverOptions withMaxBodyBytes(int maxBodyBytes) {
    return new KafkaReceiverOptions(
        settings,
        groupId,
        topics,
        concurrency,
        maxInFlight,
        maxInFlightBytes,
        maxBodyBytes,
        commitEvery,
        drainFor,
        messageId);
  }

  private KafkaReceiverOptions copy(
      Map<String, Object> settings,
      Set<String> topics,
      int concurrency,
      Duration commitEvery,
      Duration drainFor,
      Function<ConsumerRecord<byte[], byte[]>, Optional<String>> messageId) {
    return new KafkaReceiverOptions(
        settings,
        groupId,
        topics,
        concurrency,
        maxInFlight,
        maxInFlightBytes,
        maxBodyBytes,
        commitEvery,
        drainFor,
        messageId);
  }

  /** Shows only the names of the settings, because their values may be credentials. */
  @Override
  public String toString() {
    return "KafkaReceiverOptions[groupId=%s, topics=%s, settings=%s, concurrency=%d, maxInFlight=%d]"
        .formatted(
            groupId,
            new TreeSet<>(topics),
            new TreeMap<>(settings).keySet(),
            concurrency,
            maxInFlight);
  }
}
