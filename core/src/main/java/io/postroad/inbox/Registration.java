package io.postroad.inbox;

import io.postroad.message.Message;
import io.postroad.store.InboxEntry;
import java.util.Optional;

/**
 * A handler under its name, and what it wants.
 *
 * @param type empty for every type
 * @param inTransaction whether it runs in a transaction
 */
record Registration<T>(
    String name,
    String destination,
    Optional<String> type,
    MessageHandler<T> handler,
    boolean inTransaction) {

  Registration {
    if (name.isBlank() || name.length() > InboxEntry.MAX_HANDLER) {
      throw new IllegalArgumentException(
          "a handler's name must have 1 to %d characters, got '%s'"
              .formatted(InboxEntry.MAX_HANDLER, name));
    }
    if (destination.isBlank()) {
      throw new IllegalArgumentException(
          "handler '%s' needs a destination: name the topic, queue or stream".formatted(name));
    }
  }

  boolean wants(String from, Message message) {
    return destination.equals(from) && type.map(message.type()::equals).orElse(true);
  }

  @Override
  public String toString() {
    return "%s (%s, %s)".formatted(name, destination, type.orElse("any type"));
  }
}
