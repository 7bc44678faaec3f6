package io.postroad.internal.inbox;

import io.postroad.inbox.MessageHandler;
import io.postroad.message.Message;
import io.postroad.spi.InboxEntry;
import java.util.Optional;

/**
 * A handler under its name, and what it wants.
 *
 * @param type empty for every type
 * @param inTransaction whether it runs in a transaction
 * @param ownOrder whether it waits for messages of its own only, not of other handlers of its
 *     destination
 */
public record Registration<T>(
    String name,
    String destination,
    Optional<String> type,
    MessageHandler<T> handler,
    boolean inTransaction,
    boolean ownOrder) {

  /** Keeps the order of one handler apart from that of a destination of the same name. */
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
   * The order that it keeps: that of its destination, or one of its own. Also the destination of
   * its messages in the retry line, since an outbox keeps order by destination and key.
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
