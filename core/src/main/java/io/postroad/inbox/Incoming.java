package io.postroad.inbox;

import io.postroad.message.Message;
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

  /** A message of Postroad's own sender. */
  public static Incoming of(Message message) {
    return new Incoming(message.id().toString(), message, Optional.empty());
  }
}
