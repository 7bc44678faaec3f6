package io.postroad.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.postroad.message.Message;
import io.postroad.message.MessageCategory;
import io.postroad.message.Payload;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/** A message as a Kafka record; the table of {@link KafkaSender} says what goes where. */
final class RecordMapper {
  private final Optional<CloudEvents> cloudEvents;

  RecordMapper(Optional<CloudEvents> cloudEvents) {
    this.cloudEvents = cloudEvents;
  }

  ProducerRecord<byte[], byte[]> record(Message message) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            message.destination(),
            message.key().map(key -> key.getBytes(UTF_8)).orElse(null),
            message.payload().bytes());
    Headers headers = record.headers();
    message.headers().forEach((name, value) -> add(headers, name, value));
    add(headers, "event-id", message.id().toString());
    add(headers, "event-type", message.type());
    if (cloudEvents.isPresent() || !message.payload().contentType().equals(Payload.JSON)) {
      add(headers, "content-type", message.payload().contentType());
    }
    if (message.category() != MessageCategory.EVENT) {
      add(headers, "postroad-category", message.category().wireName());
    }
    if (message.schemaVersion() != 1) {
      add(headers, "postroad-schema-version", String.valueOf(message.schemaVersion()));
    }
    message.aggregateType().ifPresent(type -> add(headers, "postroad-aggregate-type", type));
    message.aggregateId().ifPresent(id -> add(headers, "postroad-aggregate-id", id));
    message.tenant().ifPresent(tenant -> add(headers, "postroad-tenant", tenant));
    cloudEvents.ifPresent(
        events -> events.attributes(message, (name, value) -> add(headers, name, value)));
    return record;
  }

  private static void add(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(UTF_8));
  }
}
