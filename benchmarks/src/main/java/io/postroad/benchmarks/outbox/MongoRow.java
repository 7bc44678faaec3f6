package io.postroad.benchmarks.outbox;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.bson.BsonBinary;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;

/**
 * A document of a hand-written outbox with the data for a consumer.
 *
 * @param pos its {@code _id}
 */
record MongoRow(long pos, UUID id, String key, String type, String topic, String payload) {

  static MongoRow of(long pos, Event event, Topic topic) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new MongoRow(
        pos,
        new UUID(random.nextLong(), random.nextLong()),
        event.key(),
        Event.TYPE,
        topic.name(),
        event.payload());
  }

  ProducerRecord<byte[], byte[]> message() {
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(
            topic, key.getBytes(StandardCharsets.UTF_8), payload.getBytes(StandardCharsets.UTF_8));
    message.headers().add("event-id", id.toString().getBytes(StandardCharsets.US_ASCII));
    message.headers().add("event-type", type.getBytes(StandardCharsets.UTF_8));
    return message;
  }

  /** Converts directly from and to BSON, without a document in between. */
  static final class RowCodec implements Codec<MongoRow> {
    @Override
    public void encode(BsonWriter writer, MongoRow row, EncoderContext context) {
      writer.writeStartDocument();
      writer.writeInt64("_id", row.pos());
      writer.writeBinaryData("id", new BsonBinary(row.id()));
      writer.writeString("key", row.key());
      writer.writeString("type", row.type());
      writer.writeString("topic", row.topic());
      writer.writeString("payload", row.payload());
      writer.writeDateTime("created_at", System.currentTimeMillis());
      writer.writeEndDocument();
    }

    @Override
    public MongoRow decode(BsonReader reader, DecoderContext context) {
      reader.readStartDocument();
      long pos = reader.readInt64("_id");
      UUID id = reader.readBinaryData("id").asUuid();
      String key = reader.readString("key");
      String type = reader.readString("type");
      String topic = reader.readString("topic");
      String payload = reader.readString("payload");
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        reader.skipName();
        reader.skipValue();
      }
      reader.readEndDocument();
      return new MongoRow(pos, id, key, type, topic, payload);
    }

    @Override
    public Class<MongoRow> getEncoderClass() {
      return MongoRow.class;
    }
  }
}
