package io.postroad.mongodb;

import io.postroad.message.Message;
import io.postroad.store.DeadLetter;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Documents of both stores as dead letters, also those that someone has edited into no message. */
final class DeadLetterDocument {
  static final String DIED_AT = "settled_at";
  static final String LAST_ERROR = "last_error";

  private static final String UNREADABLE = "postroad.unreadable";
  private static final String ATTEMPTS = "attempts";

  private DeadLetterDocument() {}

  /** A dead letter of the queue. */
  static DeadLetter queued(BsonDocument document) {
    return letter(document, MessageDocument.ID, MessageDocument.id(document), false);
  }

  /** A dead letter of the ordered store. */
  static DeadLetter held(BsonDocument document, boolean parksKey) {
    UUID id = HeldDocument.messageId(document);
    return letter(document, LogDocument.MESSAGE_ID, id, parksKey);
  }

  private static DeadLetter letter(
      BsonDocument document, String idField, UUID id, boolean parksKey) {
    return new DeadLetter(
        message(document, idField).orElseGet(() -> standIn(document, id)),
        document.isNumber(ATTEMPTS) ? document.getNumber(ATTEMPTS).intValue() : 0,
        time(document, MessageDocument.CREATED_AT),
        time(document, DIED_AT),
        MessageDocument.optional(document, LAST_ERROR).orElse(""),
        parksKey);
  }

  /** None when someone has edited it into something that is no message. */
  static Optional<Message> message(BsonDocument document, String idField) {
    BsonValue id = document.get(idField);
    if (id == null || !MessageDocument.isUuid(id)) {
      return Optional.empty();
    }
    try {
      return Optional.of(MessageDocument.read(document, idField));
    } catch (IllegalArgumentException edited) {
      return Optional.empty();
    }
  }

  /** As much of it as can be shown. */
  private static Message standIn(BsonDocument document, UUID id) {
    Message.Builder message = Message.event(UNREADABLE).id(id).json("{}");
    MessageDocument.optional(document, MessageDocument.KEY).ifPresent(message::key);
    MessageDocument.optional(document, MessageDocument.DESTINATION).ifPresent(message::to);
    try {
      return message.build();
    } catch (IllegalArgumentException unusable) {
      return Message.event(UNREADABLE).id(id).to("unknown").json("{}").build();
    }
  }

  private static Instant time(BsonDocument document, String field) {
    return document.isDateTime(field) ? MessageDocument.instant(document, field) : Instant.EPOCH;
  }
}
