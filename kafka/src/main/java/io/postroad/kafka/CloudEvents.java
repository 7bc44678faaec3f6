package io.postroad.kafka;

import io.postroad.message.Message;
import io.postroad.message.Payload;
import io.postroad.message.WireHeaders;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * Adds the attributes of CloudEvents 1.0 in the binary mode of its Kafka binding.
 *
 * @param source the attribute {@code source} of every message
 */
record CloudEvents(String source) {
  static final String ID = "ce_id";
  static final String TYPE = "ce_type";
  static final String SOURCE = "ce_source";

  private static final int TIME_ORDERED = 7;

  CloudEvents {
    if (source.isBlank()) {
      throw new IllegalArgumentException(
          "the source of CloudEvents must not be blank; name the service by a URI, for example"
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

  /** Passes each attribute as a header, except those that the message already has. */
  void attributes(Message message, BiConsumer<String, String> headers) {
    if (message.payload().contentType().equals(Payload.JSON)) {
      // Postroad leaves out the default content type, but the binary mode requires it.
      headers.accept(WireHeaders.CONTENT_TYPE, Payload.JSON);
    }
    add(message, headers, "ce_specversion", "1.0");
    add(message, headers, ID, message.id().toString());
    add(message, headers, TYPE, message.type());
    add(message, headers, SOURCE, source);
    if (message.id().version() == TIME_ORDERED) {
      add(message, headers, "ce_time", createdAt(message.id()).toString());
    }
    message.aggregateId().ifPresent(id -> add(message, headers, "ce_subject", id));
  }

  private static void add(
      Message message, BiConsumer<String, String> headers, String name, String value) {
    if (!message.headers().containsKey(name)) {
      headers.accept(name, value);
    }
  }

  private static Instant createdAt(UUID id) {
    return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
  }
}
