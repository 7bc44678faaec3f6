package io.postroad.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.postroad.inbox.Incoming;
import io.postroad.inbox.IncomingBuilder;
import io.postroad.message.WireHeaders;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts a Kafka record to a message, as the table of {@link KafkaReceiver} describes. */
final class RecordReader {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaReceiver.class);

  private final int maxBodyBytes;
  private final Function<ConsumerRecord<byte[], byte[]>, Optional<String>> messageId;

  RecordReader(
      int maxBodyBytes, Function<ConsumerRecord<byte[], byte[]>, Optional<String>> messageId) {
    this.maxBodyBytes = maxBodyBytes;
    this.messageId = messageId;
  }

  Incoming read(ConsumerRecord<byte[], byte[]> record) {
    String position = position(record);
    IncomingBuilder builder =
        new IncomingBuilder(record.topic(), position, maxBodyBytes).key(record.key());
    for (Header header : record.headers()) {
      builder.header(header.key(), header.value());
    }
    if (record.value() == null) {
      builder.header(KafkaReceiver.TOMBSTONE, "true");
    } else {
      builder.body(record.value());
    }
    readCloudEvent(record, builder);
    try {
      messageId.apply(record).ifPresent(builder::messageId);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      builder.refuse("KafkaReceiverOptions.messageId failed: " + SendFailure.describe(e));
    }
    if (!builder.leftOut().isEmpty()) {
      LOG.debug("{}: invalid headers left out: {}", position, builder.leftOut());
    }
    return builder.build();
  }

  /**
   * Returns the position of a record, with its time: offsets start again in a topic that was
   * deleted and created again.
   */
  private static String position(ConsumerRecord<byte[], byte[]> record) {
    String offset = record.topic() + "-" + record.partition() + "@" + record.offset();
    return offset + "/" + record.timestamp();
  }

  /**
   * Uses the CloudEvents attributes of a record without Postroad's headers. The id of a CloudEvent
   * is unique only together with its source.
   */
  private static void readCloudEvent(
      ConsumerRecord<byte[], byte[]> record, IncomingBuilder builder) {
    @Nullable String id = text(record, CloudEvents.ID);
    if (id != null && !id.isBlank() && text(record, WireHeaders.EVENT_ID) == null) {
      @Nullable String source = text(record, CloudEvents.SOURCE);
      builder.header(WireHeaders.EVENT_ID, source == null ? id : source + "/" + id);
    }
    @Nullable String type = text(record, CloudEvents.TYPE);
    if (type != null && text(record, WireHeaders.EVENT_TYPE) == null) {
      builder.header(WireHeaders.EVENT_TYPE, type);
    }
  }

  static @Nullable String text(ConsumerRecord<byte[], byte[]> record, String name) {
    @Nullable Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null ? null : new String(header.value(), UTF_8);
  }
}
