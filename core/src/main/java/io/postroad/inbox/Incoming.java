package io.postroad.inbox;

import io.postroad.message.Message;
import io.postroad.spi.InboxEntry;
import java.util.Optional;

/**
 * A received message.
 *
 * @param messageId the id for deduplication; the same for each delivery of the message
 * @param message the message for the handlers; its destination is the one from which it was
 *     received
 * @param refusal the reason why no handler can ever handle it; the message then becomes a dead
 *     letter with its original body
 */
public record Incoming(String messageId, Message message, Optional<String> refusal) {
  public Incoming {
    if (messageId.isBlank() || messageId.length() > InboxEntry.MAX_ID) {
      throw new IllegalArgumentException(
          "the id of a received message must have 1 to %d characters, got %d; use IncomingBuilder"
              .formatted(InboxEntry.MAX_ID, messageId.length()));
    }
  }

  /** Wraps a message that a sender of Postroad wrote. */
  public static Incoming of(Message message) {
    return new Incoming(message.id().toString(), message, Optional.empty());
  }
}
