package io.postroad.inbox;

import io.postroad.message.Message;
import io.postroad.spi.InboxEntry;
import java.util.Optional;

/**
 * A message as a transport got it.
 *
 * @param messageId what deduplication knows it by; the same each time it comes
 * @param message what handlers get; its destination is where it came from
 * @param refusal why no handler can ever have it; it becomes a dead letter then, with the body as
 *     it came
 */
public record Incoming(String messageId, Message message, Optional<String> refusal) {
  public Incoming {
    if (messageId.isBlank() || messageId.length() > InboxEntry.MAX_ID) {
      throw new IllegalArgumentException(
          "the id of a received message must have 1 to %d characters, got %d; IncomingBuilder makes"
                  .formatted(InboxEntry.MAX_ID, messageId.length())
              + " one from any text");
    }
  }

  /** A message of Postroad's own sender. */
  public static Incoming of(Message message) {
    return new Incoming(message.id().toString(), message, Optional.empty());
  }
}
