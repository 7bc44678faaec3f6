package io.postroad.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Knows the unreachable partitions, to which no message is handed over.
 *
 * <ul>
 *   <li>Partitions without a leader, according to the producer's metadata. The producer keeps
 *       asking for the leader by itself, so this ends when there is one.
 *   <li>Partitions for which messages timed out while other partitions accepted messages. After the
 *       delivery timeout they are tried again.
 * </ul>
 *
 * <p>Messages for them would fill the producer's buffer, end its session with a timeout, and keep a
 * transaction from ending. The partition of a message is not known here if it has no key, or if the
 * user configured a partitioner. Thread-safe.
 */
final class Partitions {
  /** The same part of the timeout as in the relay's detection of overtaken messages. */
  private static final int PART_OF_TIMEOUT = 8;

  private final boolean ownPartitioner;
  private final long remembered;
  private final LongSupplier nanoTicker;
  private final Map<TopicPartition, Long> timedOutAt = new ConcurrentHashMap<>();

  Partitions(boolean ownPartitioner, Duration remembered, LongSupplier nanoTicker) {
    this.ownPartitioner = ownPartitioner;
    this.remembered = remembered.toNanos();
    this.nanoTicker = nanoTicker;
  }

  /**
   * Returns how much later, in nanoseconds, other messages must be accepted for a timeout to be
   * blamed on its partition.
   */
  long patience() {
    return remembered / PART_OF_TIMEOUT;
  }

  /** Records that messages for a partition timed out while other messages were accepted. */
  void timedOut(TopicPartition partition) {
    timedOutAt.put(partition, nanoTicker.getAsLong());
  }

  /** Records that a message for a partition was accepted. */
  void accepted(String topic, int partition) {
    if (!timedOutAt.isEmpty()) {
      timedOutAt.remove(new TopicPartition(topic, partition));
    }
  }

  /** Returns the partitions for one call, which asks the producer once per topic. */
  View view(Producer<?, ?> producer) {
    return new View(producer);
  }

  /** For one call, and one thread. */
  final class View {
    private final Producer<?, ?> producer;
    private final Map<String, List<PartitionInfo>> topics = new HashMap<>();

    private View(Producer<?, ?> producer) {
      this.producer = producer;
    }

    /**
     * Returns the outcome of a message that must not be handed over, or null. Blocks like a send if
     * the topic is not known yet.
     *
     * @throws RuntimeException of Kafka, as from its send
     */
    @Nullable Unknown refusal(Message message) {
      if (ownPartitioner || message.key().isEmpty()) {
        return null;
      }
      String topic = message.destination();
      List<PartitionInfo> all = topics.get(topic);
      if (all == null) {
        all = producer.partitionsFor(topic);
        topics.put(topic, all);
      }
      int number = numberOf(message.key().get(), all.size());
      for (PartitionInfo partition : all) {
        if (partition.partition() == number) {
          return hasLeader(partition) ? timedOut(message, topic, number) : leaderless(message, all);
        }
      }
      return null;
    }

    private Unknown leaderless(Message message, List<PartitionInfo> all) {
      String why = "its partition of topic %s has no leader".formatted(message.destination());
      String error = SendFailure.notHandedOver(message, why).error();
      return new Unknown(error, all.stream().anyMatch(Partitions::hasLeader));
    }

    private @Nullable Unknown timedOut(Message message, String topic, int number) {
      Long at = timedOutAt.isEmpty() ? null : timedOutAt.get(new TopicPartition(topic, number));
      if (at == null || nanoTicker.getAsLong() - at >= remembered) {
        return null;
      }
      String why =
          "messages for partition %d of topic %s have just timed out while others were accepted"
              .formatted(number, topic);
      return Unknown.onlyItsKey(SendFailure.notHandedOver(message, why).error());
    }
  }

  /** Returns the partition that Kafka's own partitioner selects for a key. */
  static int numberOf(String key, int partitions) {
    return Utils.toPositive(Utils.murmur2(key.getBytes(UTF_8))) % partitions;
  }

  private static boolean hasLeader(PartitionInfo partition) {
    Node leader = partition.leader();
    return leader != null && !leader.isEmpty();
  }
}
