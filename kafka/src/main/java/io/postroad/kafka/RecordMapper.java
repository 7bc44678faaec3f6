package io.postroad.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.postroad.message.Message;
import io.postroad.message.WireHeaders;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/** Converts a message to a Kafka record, as the table of {@link KafkaSender} describes. */
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
    WireHeaders.of(message).forEach((name, value) -> add(headers, name, value));
    cloudEvents.ifPresent(
        events -> events.attributes(message, (name, value) -> add(headers, name, value)));
    return record;
  }

  private static void add(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(UTF_8));
  }
}
