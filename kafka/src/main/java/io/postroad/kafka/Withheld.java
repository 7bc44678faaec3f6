package io.postroad.kafka;

import io.postroad.message.Message;
import io.postroad.store.OrderKey;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must not be handed over any more, because something before it was not. For one thread. */
final class Withheld {
  private final Set<String> keys = new HashSet<>();
  private final Set<OrderKey> unreachable = new HashSet<>();
  private @Nullable String stopped;

  boolean holds(Message message) {
    return message.key().filter(keys::contains).isPresent();
  }

  void hold(Message message) {
    message.key().ifPresent(keys::add);
  }

  /** Whether an earlier message of its topic and key could not be handed to its partition. */
  boolean holdsUnreachable(Message message) {
    return !unreachable.isEmpty() && unreachable.contains(OrderKey.of(message));
  }

  void holdUnreachable(Message message) {
    unreachable.add(OrderKey.of(message));
  }

  /** From now on nothing is handed over; the first reason counts. */
  void stop(String reason) {
    if (stopped == null) {
      stopped = reason;
    }
  }

  /** Why nothing is handed over any more, or null. */
  @Nullable String stopped() {
    return stopped;
  }
}
