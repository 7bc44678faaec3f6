package io.postroad.mongodb.internal.admin;

import io.postroad.message.Message;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.log.BlockedDocument;
import io.postroad.mongodb.internal.log.LogDocument;
import io.postroad.mongodb.internal.queue.QueueForm;
import io.postroad.store.DeadLetter;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Documents of both stores as dead letters, also those that were edited into invalid messages. */
public final class DeadLetterDocument {
  static final String DIED_AT = "settled_at";
  static final String LAST_ERROR = "last_error";

  private static final String UNREADABLE = "postroad.unreadable";
  private static final String ATTEMPTS = "attempts";

  private DeadLetterDocument() {}

  /** A dead letter of the queue. */
  public static DeadLetter letter(BsonDocument document, QueueForm form) {
    return new DeadLetter(
        message(document, form).orElseGet(() -> form.standIn(document)),
        form.tried(document),
        form.createdAt(document),
        time(document, form.names().times().diedAt()),
        MessageDocument.optional(document, form.names().lastError()).orElse(""),
        false);
  }

  private static Optional<Message> message(BsonDocument document, QueueForm form) {
    try {
      return Optional.of(form.read(document));
    } catch (IllegalArgumentException edited) {
      return Optional.empty();
    }
  }

  /** A dead letter of the ordered store. */
  static DeadLetter held(BsonDocument document, boolean parksKey) {
    UUID id = BlockedDocument.messageId(document);
    return new DeadLetter(
        message(document, LogDocument.MESSAGE_ID).orElseGet(() -> standIn(document, id)),
        document.isNumber(ATTEMPTS) ? document.getNumber(ATTEMPTS).intValue() : 0,
        time(document, MessageDocument.CREATED_AT),
        time(document, DIED_AT),
        MessageDocument.optional(document, LAST_ERROR).orElse(""),
        parksKey);
  }

  /** Returns none when the document was edited into an invalid message. */
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
  public static Message standIn(BsonDocument document, UUID id) {
    return standIn(
        id,
        MessageDocument.optional(document, MessageDocument.KEY),
        MessageDocument.optional(document, MessageDocument.DESTINATION));
  }

  public static Message standIn(UUID id, Optional<String> key, Optional<String> destination) {
    Message.Builder message = Message.event(UNREADABLE).id(id).json("{}");
    key.ifPresent(message::key);
    destination.ifPresent(message::to);
    try {
      return message.build();
    } catch (IllegalArgumentException unusable) {
      return Message.event(UNREADABLE).id(id).to("unknown").json("{}").build();
    }
  }

  public static Instant time(BsonDocument document, String field) {
    return document.isDateTime(field) ? MessageDocument.instant(document, field) : Instant.EPOCH;
  }
}
