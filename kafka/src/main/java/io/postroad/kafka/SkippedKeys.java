package io.postroad.kafka;

import io.postroad.message.Message;
import io.postroad.store.OrderKey;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys that are skipped in a call or session, because an earlier message of the key was not
 * handed over. For one thread.
 */
final class SkippedKeys {
  private final Set<String> keys = new HashSet<>();
  private final Set<OrderKey> unreachable = new HashSet<>();
  private @Nullable String stopped;

  boolean contains(Message message) {
    return message.key().filter(keys::contains).isPresent();
  }

  void add(Message message) {
    message.key().ifPresent(keys::add);
  }

  /**
   * Returns whether an earlier message of the topic and key could not be handed to its partition.
   */
  boolean containsUnreachable(Message message) {
    return !unreachable.isEmpty() && unreachable.contains(OrderKey.of(message));
  }

  void addUnreachable(Message message) {
    unreachable.add(OrderKey.of(message));
  }

  /** Skips all further messages. The first reason counts. */
  void stop(String reason) {
    if (stopped == null) {
      stopped = reason;
    }
  }

  /** Returns the reason why all messages are skipped, or null. */
  @Nullable String stopped() {
    return stopped;
  }
}
