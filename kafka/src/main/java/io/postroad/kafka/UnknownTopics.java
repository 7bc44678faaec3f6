package io.postroad.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Remembers topics that do not exist, as a broker has just answered.
 *
 * <p>Each question blocks a caller for {@code max.block.ms}, because the producer waits for the
 * topic to appear. Without this memory, an application that keeps writing to a missing topic would
 * delay the messages of all other topics in every batch. Thread-safe.
 */
final class UnknownTopics {
  static final Duration REMEMBERED_FOR = Duration.ofSeconds(10);

  private final LongSupplier nanoTicker;
  private final Map<String, Long> learnedAt = new ConcurrentHashMap<>();

  UnknownTopics(LongSupplier nanoTicker) {
    this.nanoTicker = nanoTicker;
  }

  void add(String topic) {
    long now = nanoTicker.getAsLong();
    learnedAt.values().removeIf(at -> isOver(at, now));
    learnedAt.put(topic, now);
  }

  /** Returns the exception for a topic that is known to be missing, or null. */
  @Nullable UnknownTopicOrPartitionException refusal(String topic) {
    Long at = learnedAt.isEmpty() ? null : learnedAt.get(topic);
    return at == null || isOver(at, nanoTicker.getAsLong())
        ? null
        : new UnknownTopicOrPartitionException(
            "topic %s did not exist less than %d s ago"
                .formatted(topic, REMEMBERED_FOR.toSeconds()));
  }

  private static boolean isOver(long at, long now) {
    return now - at >= REMEMBERED_FOR.toNanos();
  }
}
