package io.postroad.mongodb.internal.adopt;

import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.message.Message;
import io.postroad.message.MessageCategory;
import io.postroad.mongodb.internal.admin.DeadLetterDocument;
import io.postroad.mongodb.internal.append.DocumentPayload;
import io.postroad.mongodb.internal.append.EmbeddedJson;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.DocumentIds;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Converts messages to documents of a layout and back. Adds fields that the collection lacks,
 * unless the layout's fallback has the same value. An added field that is null means that the
 * message has no value, independent of the fallback.
 */
final class AdoptedMessage {
  private final Layout layout;
  private final DocumentPayload payload;
  private final DocumentIds.Kind ids;

  AdoptedMessage(Layout layout, DocumentIds.Kind ids) {
    this.layout = layout;
    this.payload = new DocumentPayload(layout.columnOrAdded(Field.PAYLOAD), layout.payload());
    this.ids = ids;
  }

  BsonDocument write(Message message, BsonDateTime createdAt) {
    BsonDocument document = new BsonDocument(24);
    ids.write(message.id(), document);
    // Fields that the fallbacks of other fields need come first.
    put(document, Field.DESTINATION, Optional.of(message.destination()));
    put(document, Field.AGGREGATE_ID, message.aggregateId());
    put(document, Field.AGGREGATE_TYPE, message.aggregateType());
    put(document, Field.TYPE, Optional.of(message.type()));
    put(document, Field.KEY, message.key());
    put(document, Field.CATEGORY, Optional.of(message.category().wireName()));
    put(document, Field.TENANT, message.tenant());
    put(document, Field.DEDUPLICATION_KEY, message.deduplicationKey());
    put(document, Field.CONTENT_TYPE, Optional.of(message.payload().contentType()));
    if (version(document) != message.schemaVersion() || isOwn(Field.SCHEMA_VERSION)) {
      document.put(
          layout.columnOrAdded(Field.SCHEMA_VERSION), new BsonInt32(message.schemaVersion()));
    }
    if (!message.headers().isEmpty()) {
      document.put(layout.columnOrAdded(Field.HEADERS), MessageDocument.headers(message.headers()));
    }
    message
        .notBefore()
        .ifPresent(
            time ->
                document.put(layout.columnOrAdded(Field.NOT_BEFORE), MessageDocument.time(time)));
    payload.write(message.payload(), document);
    document.put(layout.columnOrAdded(Field.CREATED_AT), createdAt);
    return document;
  }

  private boolean isOwn(Field field) {
    return layout.column(field).isPresent();
  }

  private void put(BsonDocument document, Field field, Optional<String> value) {
    if (isOwn(field) || !value.equals(value(document, field))) {
      document.put(
          layout.columnOrAdded(field),
          value.<BsonValue>map(BsonString::new).orElse(BsonNull.VALUE));
    }
  }

  /**
   * Returns the message of a document.
   *
   * @throws IllegalArgumentException when the document is no message
   */
  Message read(BsonDocument document) {
    try {
      Message.Builder message =
          Message.of(
                  MessageCategory.ofWireName(required(document, Field.CATEGORY)),
                  required(document, Field.TYPE))
              .id(DocumentIds.of(document))
              .to(required(document, Field.DESTINATION))
              .schemaVersion(version(document))
              .payload(payload.read(document, required(document, Field.CONTENT_TYPE)));
      Optional<String> aggregateId = value(document, Field.AGGREGATE_ID);
      value(document, Field.AGGREGATE_TYPE)
          .ifPresent(type -> aggregateId.ifPresent(id -> message.aggregate(type, id)));
      value(document, Field.KEY).ifPresent(message::key);
      value(document, Field.TENANT).ifPresent(message::tenant);
      value(document, Field.DEDUPLICATION_KEY).ifPresent(message::deduplicationKey);
      BsonValue headers = at(document, Field.HEADERS);
      if (!headers.isNull()) {
        message.headers(headers(headers));
      }
      if (at(document, Field.NOT_BEFORE).isDateTime()) {
        message.notBefore(
            MessageDocument.instant(document, layout.columnOrAdded(Field.NOT_BEFORE)));
      }
      return message.build();
    } catch (BsonInvalidOperationException wrongType) {
      throw new IllegalArgumentException(wrongType.getMessage(), wrongType);
    }
  }

  /** Returns as much of the message as can be shown. */
  Message standIn(BsonDocument document) {
    return DeadLetterDocument.standIn(
        DocumentIds.of(document),
        ifReadable(document, Field.KEY),
        ifReadable(document, Field.DESTINATION));
  }

  private Optional<String> ifReadable(BsonDocument document, Field field) {
    try {
      return value(document, field);
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  private BsonValue at(BsonDocument document, Field field) {
    return document.get(layout.columnOrAdded(field), BsonNull.VALUE);
  }

  private String required(BsonDocument document, Field field) {
    return value(document, field)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "its field '%s' (%s) is empty".formatted(layout.columnOrAdded(field), field)));
  }

  /** Returns the text of a field, or its fallback. */
  Optional<String> value(BsonDocument document, Field field) {
    BsonValue value = at(document, field);
    if (!value.isNull()) {
      return Optional.of(text(value, field));
    }
    return !isOwn(field) && document.containsKey(field.addedName())
        ? Optional.empty()
        : layout.fallback(field).flatMap(fallback -> value(document, fallback));
  }

  private Optional<String> value(BsonDocument document, Fallback fallback) {
    return fallback
        .of()
        .map(other -> value(document, other).map(text -> fallback.text() + text))
        .orElseGet(() -> Optional.of(fallback.text()));
  }

  /** Returns a value as text; the id of an aggregate may be a number or a UUID. */
  private String text(BsonValue value, Field field) {
    return switch (value.getBsonType()) {
      case STRING -> value.asString().getValue();
      case INT32, INT64, DECIMAL128, DOUBLE -> EmbeddedJson.write(value);
      case OBJECT_ID -> value.asObjectId().getValue().toHexString();
      case BINARY -> uuid(value, field).toString();
      default ->
          throw new IllegalArgumentException(
              "its field '%s' (%s) is a %s"
                  .formatted(layout.columnOrAdded(field), field, value.getBsonType()));
    };
  }

  private UUID uuid(BsonValue value, Field field) {
    if (!MessageDocument.isUuid(value)) {
      throw new IllegalArgumentException(
          "its field '%s' (%s) has bytes that are no UUID of the standard kind"
              .formatted(layout.columnOrAdded(field), field));
    }
    return value.asBinary().asUuid();
  }

  private int version(BsonDocument document) {
    try {
      return Integer.parseInt(value(document, Field.SCHEMA_VERSION).orElse("1"));
    } catch (NumberFormatException noNumber) {
      throw new IllegalArgumentException(
          "its field '%s' is no whole number".formatted(layout.columnOrAdded(Field.SCHEMA_VERSION)),
          noNumber);
    }
  }

  /** Reads headers as pairs, as Postroad writes them, or as a document. */
  private static Map<String, String> headers(BsonValue headers) {
    if (!headers.isDocument()) {
      return MessageDocument.headers(headers.asArray());
    }
    Map<String, String> found = new TreeMap<>();
    headers
        .asDocument()
        .forEach(
            (name, value) ->
                found.put(
                    name,
                    value.isString() ? value.asString().getValue() : EmbeddedJson.write(value)));
    return found;
  }

  /** Returns an expression for the text of a field. */
  BsonValue expression(Field field) {
    BsonString own = Bson.field(layout.columnOrAdded(field));
    BsonValue otherwise = layout.fallback(field).map(this::expression).orElse(BsonNull.VALUE);
    if (isOwn(field)) {
      return Bson.of("$ifNull", own, otherwise);
    }
    BsonDocument missing =
        Bson.of("$eq", new BsonDocument("$type", own), new BsonString("missing"));
    return Bson.of("$cond", missing, otherwise, own);
  }

  private BsonValue expression(Fallback fallback) {
    BsonValue text = Bson.literal(fallback.text());
    return fallback
        .of()
        .<BsonValue>map(other -> Bson.of("$concat", text, expression(other)))
        .orElse(text);
  }
}
