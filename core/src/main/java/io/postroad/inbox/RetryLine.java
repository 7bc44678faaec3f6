package io.postroad.inbox;

import io.postroad.engine.ErrorText;
import io.postroad.message.Message;
import io.postroad.message.MessageIds;
import io.postroad.message.WireHeaders;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a message is kept in a retry line: as it came, with the handler for a destination, and two
 * headers that say what it was.
 */
final class RetryLine {
  private static final int MAX_REASON = 2_048;

  private RetryLine() {}

  static Message of(Incoming incoming, String handler) {
    Message message = incoming.message();
    Message.Builder kept =
        message.toBuilder()
            .to(handler)
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

  /** What a message in a retry line was when it was received. */
  static Incoming received(Message kept) {
    @Nullable String id = kept.headers().get(WireHeaders.RETRY_OF);
    @Nullable String from = kept.headers().get(WireHeaders.RETRY_FROM);
    if (id == null || from == null) {
      throw new PermanentFailure(
          "message %s is in a retry line and lacks the headers %s and %s: edit it and keep them"
              .formatted(kept.id(), WireHeaders.RETRY_OF, WireHeaders.RETRY_FROM));
    }
    Message message =
        kept.toBuilder()
            .id(MessageIds.of(id))
            .to(from)
            .withoutHeader(WireHeaders.RETRY_OF)
            .withoutHeader(WireHeaders.RETRY_FROM)
            .withoutHeader(WireHeaders.REFUSED)
            .build();
    return new Incoming(id, message, Optional.ofNullable(kept.headers().get(WireHeaders.REFUSED)));
  }
}
