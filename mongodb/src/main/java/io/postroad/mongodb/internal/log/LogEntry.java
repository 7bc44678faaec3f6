package io.postroad.mongodb.internal.log;

import io.postroad.message.Message;
import io.postroad.message.MessageCategory;
import io.postroad.message.Payload;
import io.postroad.mongodb.internal.append.MessageDocument;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.jspecify.annotations.Nullable;

/**
 * A document of the log, decoded straight from the wire: draining a backlog is mostly this. A
 * document that is not as {@link MessageDocument} writes it is not read, and the reader looks at
 * the document itself.
 *
 * @param message none in a tombstone, nor where it could not be read
 */
record LogEntry(long id, boolean isTombstone, @Nullable Message message, Instant createdAt) {

  /** Reads entries; writes none. */
  static final class Decoder implements Codec<LogEntry> {

    @Override
    public LogEntry decode(BsonReader reader, DecoderContext context) {
      Fields fields = new Fields();
      reader.readStartDocument();
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        fields.read(reader.readName(), reader);
      }
      reader.readEndDocument();
      return fields.entry();
    }

    @Override
    public void encode(BsonWriter writer, LogEntry entry, EncoderContext context) {
      throw new UnsupportedOperationException("entries of the log are only read");
    }

    @Override
    public Class<LogEntry> getEncoderClass() {
      return LogEntry.class;
    }
  }

  /** The fields of one document, as far as they are of the right type. */
  private static final class Fields {
    private long id;
    private boolean isTombstone;
    private Instant createdAt = Instant.EPOCH;
    private @Nullable UUID messageId;
    private @Nullable String category;
    private @Nullable String type;
    private @Nullable String aggregateType;
    private @Nullable String aggregateId;
    private @Nullable String key;
    private @Nullable String destination;
    private @Nullable String tenant;
    private @Nullable String contentType;
    private @Nullable String text;
    private byte @Nullable [] bytes;
    private @Nullable String dedupKey;
    private @Nullable Instant notBefore;
    private @Nullable Map<String, String> headers;
    private int schemaVersion;
    private boolean wrong;

    void read(String name, BsonReader reader) {
      switch (name) {
        case MessageDocument.ID -> id = reader.readInt64();
        case LogDocument.TOMBSTONE -> {
          isTombstone = true;
          reader.skipValue();
        }
        case LogDocument.MESSAGE_ID -> messageId = uuid(reader);
        case MessageDocument.CREATED_AT -> createdAt = time(reader);
        case MessageDocument.CATEGORY -> category = text(reader);
        case MessageDocument.TYPE -> type = text(reader);
        case MessageDocument.AGGREGATE_TYPE -> aggregateType = text(reader);
        case MessageDocument.AGGREGATE_ID -> aggregateId = text(reader);
        case MessageDocument.KEY -> key = text(reader);
        case MessageDocument.DESTINATION -> destination = text(reader);
        case MessageDocument.TENANT -> tenant = text(reader);
        case MessageDocument.SCHEMA_VERSION -> schemaVersion = number(reader);
        case MessageDocument.HEADERS -> headers = headers(reader);
        case MessageDocument.CONTENT_TYPE -> contentType = text(reader);
        case MessageDocument.PAYLOAD -> payload(reader);
        case MessageDocument.DEDUP_KEY -> dedupKey = text(reader);
        case MessageDocument.NOT_BEFORE -> notBefore = time(reader);
        default -> reader.skipValue();
      }
    }

    private boolean is(BsonType expected, BsonReader reader) {
      if (reader.getCurrentBsonType() == expected) {
        return true;
      }
      wrong = true;
      reader.skipValue();
      return false;
    }

    private @Nullable String text(BsonReader reader) {
      return is(BsonType.STRING, reader) ? reader.readString() : null;
    }

    private int number(BsonReader reader) {
      return is(BsonType.INT32, reader) ? reader.readInt32() : 0;
    }

    private Instant time(BsonReader reader) {
      return is(BsonType.DATE_TIME, reader)
          ? Instant.ofEpochMilli(reader.readDateTime())
          : Instant.EPOCH;
    }

    private @Nullable UUID uuid(BsonReader reader) {
      if (!is(BsonType.BINARY, reader)) {
        return null;
      }
      BsonBinary binary = reader.readBinaryData();
      wrong |= !MessageDocument.isUuid(binary);
      return wrong ? null : binary.asUuid();
    }

    private void payload(BsonReader reader) {
      if (reader.getCurrentBsonType() == BsonType.STRING) {
        text = reader.readString();
      } else if (is(BsonType.BINARY, reader)) {
        bytes = reader.readBinaryData().getData();
      }
    }

    private Map<String, String> headers(BsonReader reader) {
      Map<String, String> pairs = new TreeMap<>();
      if (!is(BsonType.ARRAY, reader)) {
        return pairs;
      }
      reader.readStartArray();
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        if (is(BsonType.DOCUMENT, reader)) {
          header(reader, pairs);
        }
      }
      reader.readEndArray();
      return pairs;
    }

    private void header(BsonReader reader, Map<String, String> pairs) {
      @Nullable String name = null;
      @Nullable String value = null;
      reader.readStartDocument();
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        String field = reader.readName();
        if (field.equals("k")) {
          name = text(reader);
        } else {
          value = text(reader);
        }
      }
      reader.readEndDocument();
      if (name != null && value != null) {
        pairs.put(name, value);
      }
    }

    LogEntry entry() {
      return new LogEntry(id, isTombstone, isTombstone ? null : message(), createdAt);
    }

    private @Nullable Message message() {
      if (wrong
          || messageId == null
          || category == null
          || type == null
          || destination == null
          || contentType == null) {
        return null;
      }
      Payload payload;
      if (text != null) {
        payload = Payload.text(text, contentType);
      } else if (bytes != null) {
        payload = Payload.bytes(bytes, contentType);
      } else {
        return null;
      }
      try {
        return built(messageId, category, type, destination, payload);
      } catch (IllegalArgumentException edited) {
        return null;
      }
    }

    private Message built(
        UUID ofMessage, String inCategory, String ofType, String to, Payload payload) {
      Message.Builder message =
          Message.of(MessageCategory.ofWireName(inCategory), ofType)
              .id(ofMessage)
              .to(to)
              .schemaVersion(schemaVersion)
              .payload(payload);
      if (aggregateType != null && aggregateId != null) {
        message.aggregate(aggregateType, aggregateId);
      }
      if (key != null) {
        message.key(key);
      }
      if (tenant != null) {
        message.tenant(tenant);
      }
      if (dedupKey != null) {
        message.deduplicationKey(dedupKey);
      }
      if (headers != null) {
        message.headers(headers);
      }
      if (notBefore != null) {
        message.notBefore(notBefore);
      }
      return message.build();
    }
  }
}
