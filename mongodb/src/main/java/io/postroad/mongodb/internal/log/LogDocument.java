package io.postroad.mongodb.internal.log;

import io.postroad.message.Message;
import io.postroad.mongodb.internal.append.MessageDocument;
import java.util.UUID;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * Documents of the log, and of what was held back from it: the fields of a message, but {@code _id}
 * is the sequence number and the message's id is a field.
 */
public final class LogDocument {
  public static final String MESSAGE_ID = "message_id";

  /** Set in a document that closes a sequence number which no transaction used. */
  public static final String TOMBSTONE = "void";

  private LogDocument() {}

  public static BsonDocument write(Message message, BsonInt64 id, BsonDateTime createdAt) {
    return at(id, MessageDocument.write(message, createdAt));
  }

  /** A scheduled message, which has its own id, gets a place. */
  static BsonDocument at(BsonInt64 id, BsonDocument message) {
    BsonDocument document = new BsonDocument(message.size() + 1);
    document.put(MessageDocument.ID, id);
    document.put(MESSAGE_ID, message.getBinary(MessageDocument.ID));
    message.forEach(document::putIfAbsent);
    return document;
  }

  static BsonDocument closed(BsonInt64 id, BsonDateTime now) {
    return new BsonDocument(MessageDocument.ID, id)
        .append(TOMBSTONE, BsonBoolean.TRUE)
        .append(MessageDocument.CREATED_AT, now);
  }

  static boolean isTombstone(BsonDocument document) {
    return document.containsKey(TOMBSTONE);
  }

  static UUID messageId(BsonDocument document) {
    return MessageDocument.uuid(document, MESSAGE_ID);
  }

  /**
   * The message of a document.
   *
   * @throws IllegalArgumentException when the document was edited into an invalid message
   */
  public static Message read(BsonDocument document) {
    return MessageDocument.read(document, MESSAGE_ID);
  }
}
