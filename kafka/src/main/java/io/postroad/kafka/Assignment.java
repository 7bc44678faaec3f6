package io.postroad.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that a consumer has, and how it parts with them: one that is revoked drains for a
 * while and is committed; one that is lost is not committed any more, because somebody else may be
 * further by now. What has not begun is dropped in both cases. Used by the consumer's thread.
 */
final class Assignment implements ConsumerRebalanceListener {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaReceiver.class);
  private static final Duration COMMIT_WITHIN = Duration.ofSeconds(5);

  private final String name;
  private final Consumer<byte[], byte[]> consumer;
  private final Duration drainFor;
  private final Map<TopicPartition, PartitionWindow> windows = new HashMap<>();
  private boolean joined;

  Assignment(String name, Consumer<byte[], byte[]> consumer, Duration drainFor) {
    this.name = name;
    this.consumer = consumer;
    this.drainFor = drainFor;
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    joined = true;
    partitions.forEach(partition -> windows.put(partition, new PartitionWindow()));
    if (!partitions.isEmpty()) {
      LOG.info("{}: got partitions {}", name, partitions);
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      drain(partitions);
      LOG.info("{}: gave back partitions {}", name, partitions);
    }
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      partitions.forEach(this::lose);
      LOG.warn(
          "{}: lost partitions {}, what was not committed comes again elsewhere", name, partitions);
    }
  }

  private void lose(TopicPartition partition) {
    PartitionWindow window = windows.remove(partition);
    if (window != null) {
      window.giveUp();
    }
  }

  /** Parts with everything without a commit. */
  void loseAll() {
    List.copyOf(windows.keySet()).forEach(this::lose);
  }

  /** Parts with everything. */
  void drainAll() {
    drain(List.copyOf(windows.keySet()));
  }

  private void drain(Collection<TopicPartition> partitions) {
    Map<TopicPartition, PartitionWindow> leaving = new HashMap<>();
    for (TopicPartition partition : partitions) {
      PartitionWindow window = windows.get(partition);
      if (window != null) {
        leaving.put(partition, window);
        window.close();
      }
    }
    long until = System.nanoTime() + drainFor.toNanos();
    leaving.values().forEach(window -> window.awaitIdle(until));
    leaving.values().forEach(PartitionWindow::giveUp);
    commit(toCommit(leaving));
    windows.keySet().removeAll(leaving.keySet());
  }

  private void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    if (offsets.isEmpty()) {
      return;
    }
    try {
      try {
        consumer.commitSync(offsets, COMMIT_WITHIN);
      } catch (WakeupException meantForPoll) {
        consumer.commitSync(offsets, COMMIT_WITHIN);
      }
    } catch (KafkaException e) {
      LOG.warn(
          "{}: could not commit offsets={}, the messages behind come again and are duplicates;"
              + " error={}",
          name,
          offsets,
          SendFailure.describe(e));
    }
  }

  /** Whether the group has taken the consumer in. */
  boolean hasJoined() {
    return joined;
  }

  @Nullable PartitionWindow window(TopicPartition partition) {
    return windows.get(partition);
  }

  /** Those with more records than this waiting for one before them. */
  Set<TopicPartition> longerThan(int limit) {
    Set<TopicPartition> full = new HashSet<>();
    windows.forEach(
        (partition, window) -> {
          if (window.size() > limit) {
            full.add(partition);
          }
        });
    return full;
  }

  Map<TopicPartition, OffsetAndMetadata> toCommit() {
    return toCommit(windows);
  }

  private Map<TopicPartition, OffsetAndMetadata> toCommit(
      Map<TopicPartition, PartitionWindow> from) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    from.forEach(
        (partition, window) -> {
          if (window.isUsed() && consumer.assignment().contains(partition)) {
            skipMarkers(partition, window);
          }
          window
              .toCommit()
              .ifPresent(offset -> offsets.put(partition, new OffsetAndMetadata(offset)));
        });
    return offsets;
  }

  /** Past what is no record: the markers of transactions, and what was aborted. */
  private void skipMarkers(TopicPartition partition, PartitionWindow window) {
    try {
      // One that is known is told at once; nobody waits for the others, it is not worth it.
      window.polledUpTo(consumer.position(partition, Duration.ZERO));
    } catch (TimeoutException | WakeupException unknown) {
      LOG.debug("{}: the position of {} is not known just now", name, partition, unknown);
    }
  }

  void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach(
        (partition, offset) -> {
          PartitionWindow window = windows.get(partition);
          if (window != null) {
            window.committed(offset.offset());
          }
        });
  }
}
