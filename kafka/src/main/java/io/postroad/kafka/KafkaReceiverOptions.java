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
 * How a {@link KafkaReceiver} talks to Kafka. Immutable; wrong or unsafe settings are refused here.
 *
 * <table>
 * <caption>Consumer settings that are decided or bounded here; all others are free</caption>
 * <tr><th>setting</th><th>value</th><th>why</th></tr>
 * <tr><td>{@code enable.auto.commit}</td><td>{@code false}, nothing else</td><td>nothing is
 *     acknowledged before its handler has committed</td></tr>
 * <tr><td>{@code auto.offset.reset}</td><td>{@code earliest}; free</td><td>a new group misses
 *     nothing</td></tr>
 * <tr><td>{@code isolation.level}</td><td>{@code read_committed}; free</td><td>what a sender took
 *     back is not handled</td></tr>
 * <tr><td>{@code partition.assignment.strategy}</td><td>cooperative-sticky; free. Not set with
 *     {@code group.protocol=consumer}</td><td>a rebalance stops only the partitions that
 *     move</td></tr>
 * <tr><td>{@code max.poll.records}</td><td>a fifth of {@code maxInFlight}; not more than
 *     it</td><td>what comes in one go must fit</td></tr>
 * <tr><td>{@code max.poll.interval.ms}</td><td>Kafka's 5 min; more than {@code drainFor} and 5
 *     s</td><td>polling goes on while handlers run and stops only to drain</td></tr>
 * <tr><td>{@code allow.auto.create.topics}</td><td>{@code false}; free</td><td>a misspelt topic is
 *     not created</td></tr>
 * <tr><td>{@code key.deserializer}, {@code value.deserializer}, {@code group.id}</td><td>not
 *     set</td><td>Postroad reads bytes; the group is {@code groupId}</td></tr>
 * </table>
 *
 * @param settings Kafka's consumer settings; {@code bootstrap.servers} is required
 * @param groupId receivers of one group share the partitions; replies to commands have a group of
 *     their own, see {@link KafkaReceiver}
 * @param topics to receive; empty, the default, for the destinations of the inbox's handlers
 * @param concurrency handlers that run at once; 10. Keep it at half the connection pool at most
 * @param maxInFlight records that wait or are handled, at most, of each group; 500
 * @param maxInFlightBytes bytes of them; 64 MiB, exceeded by what one poll brings at most
 * @param maxBodyBytes the largest body that handlers get, up to 8 MiB; 1 MiB. A larger one is a
 *     dead letter
 * @param commitEvery how often offsets are committed, besides every 1,000 records; 1 s. A crash
 *     repeats that much
 * @param drainFor how long a stop and a rebalance wait for handlers that run; 10 s
 * @param messageId what a record is known by, when it is neither its header {@code event-id} nor
 *     its place; empty by default, and for records that it answers nothing for
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
   * Checks everything.
   *
   * @throws IllegalArgumentException naming the setting, its value and the reason
   */
  public KafkaReceiverOptions {
    settings = Map.copyOf(settings);
    topics = Set.copyOf(topics);
    if (groupId.isBlank()) {
      throw new IllegalArgumentException(
          "KafkaReceiverOptions.groupId must not be blank; name your service, for example billing");
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

  /** The defaults for brokers, given as {@code host:port,host:port}, and a group. */
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

  /** With one more consumer setting, for example {@code client.rack}. */
  public KafkaReceiverOptions withSetting(String name, Object value) {
    return withSettings(Map.of(name, value));
  }

  /** With more consumer settings; they replace those of the same name. */
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

  /** Both bounds of what is in memory. */
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
   * With larger bodies. The consumer takes one record of any size; the retry store must take them,
   * too.
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

  /** Names of the settings only: their values may be credentials. */
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
