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
 * Tracks the partitions that a consumer has been assigned. A revoked partition waits a while for
 * its running handlers, and its offset is committed. The offset of a lost partition is not
 * committed, because another consumer may already be further. In both cases records that are not
 * being handled yet are dropped. Used by the consumer's thread.
 */
final class Assignment implements ConsumerRebalanceListener {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaReceiver.class);
  private static final Duration COMMIT_WITHIN = Duration.ofSeconds(5);

  private final String name;
  private final Consumer<byte[], byte[]> consumer;
  private final Duration drainFor;
  private final Map<TopicPartition, PartitionProgress> byPartition = new HashMap<>();
  private boolean joined;

  Assignment(String name, Consumer<byte[], byte[]> consumer, Duration drainFor) {
    this.name = name;
    this.consumer = consumer;
    this.drainFor = drainFor;
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    joined = true;
    partitions.forEach(partition -> byPartition.put(partition, new PartitionProgress()));
    if (!partitions.isEmpty()) {
      LOG.info("{}: assigned partitions {}", name, partitions);
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      drain(partitions);
      LOG.info("{}: returned partitions {}", name, partitions);
    }
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      partitions.forEach(this::abandon);
      LOG.warn(
          "{}: lost partitions {}, another consumer receives uncommitted records again",
          name,
          partitions);
    }
  }

  private void abandon(TopicPartition partition) {
    PartitionProgress progress = byPartition.remove(partition);
    if (progress != null) {
      progress.abandon();
    }
  }

  /** Gives up all partitions without a commit. */
  void abandonAll() {
    List.copyOf(byPartition.keySet()).forEach(this::abandon);
  }

  /** Drains and commits all partitions. */
  void drainAll() {
    drain(List.copyOf(byPartition.keySet()));
  }

  private void drain(Collection<TopicPartition> partitions) {
    Map<TopicPartition, PartitionProgress> leaving = new HashMap<>();
    for (TopicPartition partition : partitions) {
      PartitionProgress progress = byPartition.get(partition);
      if (progress != null) {
        leaving.put(partition, progress);
        progress.close();
      }
    }
    long until = System.nanoTime() + drainFor.toNanos();
    leaving.values().forEach(progress -> progress.awaitIdle(until));
    leaving.values().forEach(PartitionProgress::abandon);
    commit(toCommit(leaving));
    byPartition.keySet().removeAll(leaving.keySet());
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
          "{}: could not commit offsets={}, later messages are received again as duplicates;"
              + " error={}",
          name,
          offsets,
          SendFailure.describe(e));
    }
  }

  /** Returns whether the consumer has joined its group. */
  boolean hasJoined() {
    return joined;
  }

  @Nullable PartitionProgress progress(TopicPartition partition) {
    return byPartition.get(partition);
  }

  /** Returns the partitions with more pending records than the limit. */
  Set<TopicPartition> withMorePendingThan(int limit) {
    Set<TopicPartition> full = new HashSet<>();
    byPartition.forEach(
        (partition, progress) -> {
          if (progress.size() > limit) {
            full.add(partition);
          }
        });
    return full;
  }

  Map<TopicPartition, OffsetAndMetadata> toCommit() {
    return toCommit(byPartition);
  }

  private Map<TopicPartition, OffsetAndMetadata> toCommit(
      Map<TopicPartition, PartitionProgress> from) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    from.forEach(
        (partition, progress) -> {
          if (progress.isUsed() && consumer.assignment().contains(partition)) {
            skipMarkers(partition, progress);
          }
          progress
              .toCommit()
              .ifPresent(offset -> offsets.put(partition, new OffsetAndMetadata(offset)));
        });
    return offsets;
  }

  /**
   * Moves the offset to commit past positions that hold no record: transaction markers and aborted
   * records.
   */
  private void skipMarkers(TopicPartition partition, PartitionProgress progress) {
    try {
      // Without a wait: a position that the client knows is returned at once, others do not
      // matter.
      progress.polledUpTo(consumer.position(partition, Duration.ZERO));
    } catch (TimeoutException | WakeupException unknown) {
      LOG.debug("{}: the position of {} is unknown at the moment", name, partition, unknown);
    }
  }

  void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach(
        (partition, offset) -> {
          PartitionProgress progress = byPartition.get(partition);
          if (progress != null) {
            progress.committed(offset.offset());
          }
        });
  }
}
