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
 * Keeps a message in a retry line as it came, with the order of its handler for a destination, and
 * headers that say where it came from and which handler it waits for.
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
    incoming.refusal().ifPresent(reason -> kept.header(WireHeaders.REFUSED, line(reason)));
    return kept.build();
  }

  /** As a header can have it: one line, and not too long. */
  private static String line(String reason) {
    String bounded = ErrorText.bounded(reason, MAX_REASON);
    StringBuilder line = new StringBuilder(bounded.length());
    bounded.chars().forEach(c -> line.append(c < ' ' || c == 0x7f ? ' ' : (char) c));
    return line.toString();
  }

  /** The name of the handler that a message in a retry line waits for. */
  static String handler(Message kept) {
    return headerOf(kept, WireHeaders.RETRY_HANDLER);
  }

  private static String headerOf(Message kept, String name) {
    @Nullable String value = kept.headers().get(name);
    if (value == null) {
      throw new PermanentFailure(
          "message %s is in a retry line and lacks the header %s: edit it and keep it"
              .formatted(kept.id(), name));
    }
    return value;
  }

  /** What a message in a retry line was when it was received. */
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
