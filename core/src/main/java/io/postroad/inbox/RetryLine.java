package io.postroad.inbox;

import io.postroad.message.Message;
import io.postroad.message.MessageIds;
import io.postroad.message.WireHeaders;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a message is kept in a retry line: as it came, with the handler for a destination, and two
 * headers that say what it was.
 */
final class RetryLine {
  private RetryLine() {}

  static Message of(Incoming incoming, String handler) {
    Message message = incoming.message();
    Message.Builder kept =
        message.toBuilder()
            .to(handler)
            .header(WireHeaders.RETRY_OF, incoming.messageId())
            .header(WireHeaders.RETRY_FROM, message.destination());
    incoming.refusal().ifPresent(reason -> kept.header(WireHeaders.REFUSED, reason));
    return kept.build();
  }

  /** What a message in a retry line was when it was received. */
  static Incoming received(Message kept) {
    Map<String, String> headers = new TreeMap<>(kept.headers());
    @Nullable String id = headers.remove(WireHeaders.RETRY_OF);
    @Nullable String from = headers.remove(WireHeaders.RETRY_FROM);
    @Nullable String refusal = headers.remove(WireHeaders.REFUSED);
    if (id == null || from == null) {
      throw new PermanentFailure(
          "message %s is in a retry line and lacks the headers %s and %s: edit it and keep them"
              .formatted(kept.id(), WireHeaders.RETRY_OF, WireHeaders.RETRY_FROM));
    }
    Message.Builder message =
        Message.of(kept.category(), kept.type())
            .id(MessageIds.of(id))
            .to(from)
            .headers(headers)
            .payload(kept.payload())
            .schemaVersion(kept.schemaVersion());
    if (kept.aggregateType().isPresent() && kept.aggregateId().isPresent()) {
      message.aggregate(kept.aggregateType().get(), kept.aggregateId().get());
    }
    kept.key().ifPresent(message::key);
    kept.tenant().ifPresent(message::tenant);
    return new Incoming(id, message.build(), Optional.ofNullable(refusal));
  }
}
