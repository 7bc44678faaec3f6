package io.postroad.internal.inbox;

import io.postroad.inbox.Incoming;
import io.postroad.inbox.PermanentFailure;
import io.postroad.internal.loop.ErrorText;
import io.postroad.message.Message;
import io.postroad.message.MessageIds;
import io.postroad.message.WireHeaders;
import io.postroad.spi.InboxEntry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts received messages to messages of the retry line and back. A message of the retry line
 * has the order of its handler as its destination. Its headers contain the original destination and
 * id, and the name of the handler.
 */
final class RetryLine {
  private static final int MAX_REASON = 2_048;

  private RetryLine() {}

  static Message of(Incoming incoming, InboxEntry entry) {
    Message message = incoming.message();
    Message.Builder kept =
        message.toBuilder()
            .to(entry.order())
            .header(WireHeaders.RETRY_HANDLER, entry.handler())
            .header(WireHeaders.RETRY_OF, incoming.messageId())
            .header(WireHeaders.RETRY_FROM, message.destination());
    incoming.refusal().ifPresent(reason -> kept.header(WireHeaders.REFUSED, headerValue(reason)));
    return kept.build();
  }

  /** Returns the reason as a header value: without control characters and bounded. */
  private static String headerValue(String reason) {
    String bounded = ErrorText.bounded(reason, MAX_REASON);
    StringBuilder value = new StringBuilder(bounded.length());
    bounded.chars().forEach(c -> value.append(c < ' ' || c == 0x7f ? ' ' : (char) c));
    return value.toString();
  }

  /** Returns the name of the handler that is to handle a message of the retry line. */
  static String handler(Message kept) {
    return headerOf(kept, WireHeaders.RETRY_HANDLER);
  }

  private static String headerOf(Message kept, String name) {
    @Nullable String value = kept.headers().get(name);
    if (value == null) {
      throw new PermanentFailure(
          "message %s in the retry line lacks the header %s: replace it with a message that has it"
              .formatted(kept.id(), name));
    }
    return value;
  }

  /** Returns a message of the retry line as it was received. */
  static Incoming received(Message kept) {
    String id = headerOf(kept, WireHeaders.RETRY_OF);
    String from = headerOf(kept, WireHeaders.RETRY_FROM);
    Message message =
        kept.toBuilder()
            .id(MessageIds.of(id))
            .to(from)
            .withoutHeader(WireHeaders.RETRY_OF)
            .withoutHeader(WireHeaders.RETRY_FROM)
            .withoutHeader(WireHeaders.RETRY_HANDLER)
            .withoutHeader(WireHeaders.REFUSED)
            .build();
    return new Incoming(id, message, Optional.ofNullable(kept.headers().get(WireHeaders.REFUSED)));
  }
}
