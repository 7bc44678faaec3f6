package io.postroad.internal.inbox;

import io.postroad.inbox.MessageHandler;
import io.postroad.message.Message;
import io.postroad.spi.InboxEntry;
import java.util.Optional;

/**
 * A handler with its name, and the messages that it wants.
 *
 * @param type empty for every type
 * @param inTransaction whether the handler runs in a transaction
 * @param ownOrder whether the handler waits only for its own failed messages, and not for those of
 *     other handlers of its destination
 */
public record Registration<T>(
    String name,
    String destination,
    Optional<String> type,
    MessageHandler<T> handler,
    boolean inTransaction,
    boolean ownOrder) {

  /** Prefix that keeps a handler's own order apart from a destination of the same name. */
  private static final String ORDER_OF_ONE = "handler:";

  public Registration {
    int longest = InboxEntry.MAX_HANDLER - (ownOrder ? ORDER_OF_ONE.length() : 0);
    if (name.isBlank() || name.length() > longest) {
      throw new IllegalArgumentException(
          "a handler's name must have 1 to %d characters, got '%s'".formatted(longest, name));
    }
    if (destination.isBlank()) {
      throw new IllegalArgumentException(
          "handler '%s' needs a destination: name the topic, queue or stream".formatted(name));
    }
  }

  public Registration<T> inOwnOrder() {
    return new Registration<>(name, destination, type, handler, inTransaction, true);
  }

  /**
   * Returns the name of the order that the handler keeps: its destination, or its own. Messages in
   * the retry line have it as their destination, because an outbox keeps order by destination and
   * key.
   */
  String order() {
    return ownOrder ? ORDER_OF_ONE + name : destination;
  }

  public boolean wants(String from, Message message) {
    return destination.equals(from) && type.map(message.type()::equals).orElse(true);
  }

  @Override
  public String toString() {
    return "%s (%s, %s)".formatted(name, destination, type.orElse("any type"));
  }
}
