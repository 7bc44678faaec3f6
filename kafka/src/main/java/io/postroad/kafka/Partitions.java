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
 * Knows the partitions that cannot be reached, to which nothing is handed over.
 *
 * <ul>
 *   <li>Those without a leader, as the producer's own metadata says. The producer keeps asking for
 *       the leader by itself, so this ends when there is one.
 *   <li>Those for which messages timed out while other partitions took theirs: for as long as a
 *       message may take, then they are tried again.
 * </ul>
 *
 * <p>What the producer took for them would fill its buffer, end its session when it times out, and
 * keep a transaction from ending. Without a key, or with a partitioner of the user's, the partition
 * of a message is not known here. Thread-safe.
 */
final class Partitions {
  private final boolean ownPartitioner;
  private final long remembered;
  private final LongSupplier nanoTicker;
  private final Map<TopicPartition, Long> timedOutAt = new ConcurrentHashMap<>();

  Partitions(boolean ownPartitioner, Duration remembered, LongSupplier nanoTicker) {
    this.ownPartitioner = ownPartitioner;
    this.remembered = remembered.toNanos();
    this.nanoTicker = nanoTicker;
  }

  /** How much later others must be accepted for a time-out to be its partition's, in nanos. */
  long patience() {
    return remembered / 8;
  }

  /** Messages for it timed out while others were accepted. */
  void timedOut(TopicPartition partition) {
    timedOutAt.put(partition, nanoTicker.getAsLong());
  }

  /** A message for it was accepted. */
  void accepted(String topic, int partition) {
    if (!timedOutAt.isEmpty()) {
      timedOutAt.remove(new TopicPartition(topic, partition));
    }
  }

  /** The partitions as one call sees them: asks the producer once for each topic. */
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
     * The outcome of a message that is not to be handed over, or null. Blocks as a send does while
     * the topic is not known.
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

  /** As Kafka's own partitioner has it for every record with a key. */
  static int numberOf(String key, int partitions) {
    return Utils.toPositive(Utils.murmur2(key.getBytes(UTF_8))) % partitions;
  }

  private static boolean hasLeader(PartitionInfo partition) {
    Node leader = partition.leader();
    return leader != null && !leader.isEmpty();
  }
}
