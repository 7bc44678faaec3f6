package io.postroad.mongodb.internal.append;

import io.postroad.message.Message;
import io.postroad.message.MessageCategory;
import io.postroad.message.Payload;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.bson.BSONException;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A message as the fields of a document; the collections add fields of their own. Parts that a
 * message does not have is left out. Times have milliseconds; a finer {@code notBefore} is rounded
 * up.
 */
public final class MessageDocument {
  public static final String ID = "_id";
  public static final String CREATED_AT = "created_at";

  public static final String CATEGORY = "category";
  public static final String TYPE = "event_type";
  public static final String AGGREGATE_TYPE = "aggregate_type";
  public static final String AGGREGATE_ID = "aggregate_id";
  public static final String KEY = "key";
  public static final String DESTINATION = "destination";
  public static final String TENANT = "tenant";
  public static final String SCHEMA_VERSION = "schema_version";
  public static final String HEADERS = "headers";
  public static final String CONTENT_TYPE = "content_type";
  public static final String PAYLOAD = "payload";
  public static final String DEDUP_KEY = "dedup_key";
  public static final String NOT_BEFORE = "not_before";

  private MessageDocument() {}

  public static BsonBinary id(UUID id) {
    return new BsonBinary(id);
  }

  public static UUID id(BsonDocument document) {
    return uuid(document, ID);
  }

  public static UUID uuid(BsonDocument document, String field) {
    return document.getBinary(field).asUuid();
  }

  public static boolean isUuid(BsonValue value) {
    return value.isBinary()
        && value.asBinary().getType() == BsonBinarySubType.UUID_STANDARD.getValue()
        && value.asBinary().getData().length == 16;
  }

  /** The message's own fields. */
  public static BsonDocument write(Message message, BsonDateTime createdAt) {
    BsonDocument document = new BsonDocument(24);
    document.put(ID, id(message.id()));
    document.put(CATEGORY, new BsonString(message.category().wireName()));
    document.put(TYPE, new BsonString(message.type()));
    message.aggregateType().ifPresent(text -> document.put(AGGREGATE_TYPE, new BsonString(text)));
    message.aggregateId().ifPresent(text -> document.put(AGGREGATE_ID, new BsonString(text)));
    message.key().ifPresent(text -> document.put(KEY, new BsonString(text)));
    document.put(DESTINATION, new BsonString(message.destination()));
    message.tenant().ifPresent(text -> document.put(TENANT, new BsonString(text)));
    document.put(SCHEMA_VERSION, new BsonInt32(message.schemaVersion()));
    if (!message.headers().isEmpty()) {
      document.put(HEADERS, headers(message.headers()));
    }
    Payload payload = message.payload();
    document.put(CONTENT_TYPE, new BsonString(payload.contentType()));
    document.put(
        PAYLOAD,
        payload
            .text()
            .<BsonValue>map(BsonString::new)
            .orElseGet(() -> new BsonBinary(payload.bytes())));
    message.deduplicationKey().ifPresent(text -> document.put(DEDUP_KEY, new BsonString(text)));
    message.notBefore().ifPresent(time -> document.put(NOT_BEFORE, time(time)));
    document.put(CREATED_AT, createdAt);
    return document;
  }

  /**
   * The message of a document.
   *
   * @throws IllegalArgumentException when the document was edited into an invalid message
   */
  public static Message read(BsonDocument document) {
    return read(document, ID);
  }

  /** The same, where the message's id is in another field. */
  public static Message read(BsonDocument document, String idField) {
    try {
      Message.Builder message =
          Message.of(MessageCategory.ofWireName(text(document, CATEGORY)), text(document, TYPE))
              .id(uuid(document, idField))
              .to(text(document, DESTINATION))
              .schemaVersion(document.getInt32(SCHEMA_VERSION).getValue())
              .payload(payload(document));
      Optional<String> aggregateId = optional(document, AGGREGATE_ID);
      optional(document, AGGREGATE_TYPE)
          .ifPresent(type -> aggregateId.ifPresent(id -> message.aggregate(type, id)));
      optional(document, KEY).ifPresent(message::key);
      optional(document, TENANT).ifPresent(message::tenant);
      optional(document, DEDUP_KEY).ifPresent(message::deduplicationKey);
      if (document.containsKey(HEADERS)) {
        message.headers(headers(document.getArray(HEADERS)));
      }
      if (document.containsKey(NOT_BEFORE)) {
        message.notBefore(instant(document, NOT_BEFORE));
      }
      return message.build();
    } catch (BSONException wrongType) {
      throw new IllegalArgumentException(wrongType.getMessage(), wrongType);
    }
  }

  /** Whole milliseconds, not before {@code time}: what is due then is not due too early. */
  public static BsonDateTime time(Instant time) {
    try {
      long millis = time.toEpochMilli();
      return new BsonDateTime(Instant.ofEpochMilli(millis).isBefore(time) ? millis + 1 : millis);
    } catch (ArithmeticException tooFar) {
      throw new IllegalArgumentException(
          "time must be one that MongoDB can store, got " + time, tooFar);
    }
  }

  public static Instant instant(BsonDocument document, String field) {
    return Instant.ofEpochMilli(document.getDateTime(field).getValue());
  }

  public static String text(BsonDocument document, String field) {
    return document.getString(field).getValue();
  }

  /** The text of a field that may be missing or null. */
  public static Optional<String> optional(BsonDocument document, String field) {
    return document.isString(field) ? Optional.of(text(document, field)) : Optional.empty();
  }

  private static Payload payload(BsonDocument document) {
    String contentType = text(document, CONTENT_TYPE);
    return document.isString(PAYLOAD)
        ? Payload.text(text(document, PAYLOAD), contentType)
        : Payload.bytes(document.getBinary(PAYLOAD).getData(), contentType);
  }

  /** Pairs, because a header's name may have dots, which no field's name should. */
  public static BsonArray headers(Map<String, String> headers) {
    BsonArray pairs = new BsonArray();
    headers.forEach(
        (name, value) ->
            pairs.add(
                new BsonDocument("k", new BsonString(name)).append("v", new BsonString(value))));
    return pairs;
  }

  public static Map<String, String> headers(BsonArray pairs) {
    Map<String, String> headers = new TreeMap<>();
    for (BsonValue pair : pairs) {
      headers.put(text(pair.asDocument(), "k"), text(pair.asDocument(), "v"));
    }
    return headers;
  }
}
