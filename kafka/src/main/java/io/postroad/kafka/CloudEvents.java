package io.postroad.kafka;

import io.postroad.message.Message;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * The attributes of CloudEvents 1.0 in the binary mode of its Kafka binding. The content type,
 * which that mode wants in any case, is {@code content-type} and not among them.
 *
 * @param source the attribute {@code source} of every message
 */
record CloudEvents(String source) {
  private static final int TIME_ORDERED = 7;

  CloudEvents {
    if (source.isBlank()) {
      throw new IllegalArgumentException(
          "the source of CloudEvents must not be blank; name your service by a URI, for example"
              + " /payments or https://example.com/payments");
    }
    try {
      new URI(source);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "the source of CloudEvents must be a URI, for example /payments, got %s: %s"
              .formatted(source, e.getMessage()),
          e);
    }
  }

  /** Those that the message does not bring itself, as headers of their names. */
  void attributes(Message message, BiConsumer<String, String> headers) {
    add(message, headers, "ce_specversion", "1.0");
    add(message, headers, "ce_id", message.id().toString());
    add(message, headers, "ce_type", message.type());
    add(message, headers, "ce_source", source);
    if (message.id().version() == TIME_ORDERED) {
      add(message, headers, "ce_time", madeAt(message.id()).toString());
    }
    message.aggregateId().ifPresent(id -> add(message, headers, "ce_subject", id));
  }

  private static void add(
      Message message, BiConsumer<String, String> headers, String name, String value) {
    if (!message.headers().containsKey(name)) {
      headers.accept(name, value);
    }
  }

  private static Instant madeAt(UUID id) {
    return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
  }
}
