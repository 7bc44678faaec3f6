package io.postroad.mongodb.internal.log;

import io.postroad.message.Message;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.append.Unreadable;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import java.util.UUID;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** A message that is held back: the fields of a document of the log, and how it stands. */
public final class BlockedDocument {
  /** The key under which it waits; a key of its own when it is a dead letter that blocks no key. */
  public static final String KEY = "held_key";

  public static final String STATUS = "status";
  public static final String ATTEMPTS = "attempts";
  public static final String LAST_ERROR = "last_error";
  public static final String SENT_BY = "sent_by";
  public static final String SETTLED_AT = "settled_at";

  private static final String LANE = "lane";
  private static final String DESTINATION = "destination";
  private static final String NAME = "name";
  private static final String SHARED = "key/";

  private BlockedDocument() {}

  /** Returns the document of a message that its lane passes. */
  static BsonDocument heldBack(int lane, Settlement settlement, BsonDateTime now) {
    Claim claim = settlement.claim();
    BsonDocument document =
        LogDocument.write(
            claim.message(),
            LogIds.id(lane, claim.token()),
            MessageDocument.time(claim.appendedAt()));
    document
        .append(KEY, line(lane, settlement))
        .append(STATUS, status(settlement.status()))
        .append(ATTEMPTS, new BsonInt32(settlement.countsAsAttempt() ? 1 : 0));
    settlement.lastError().ifPresent(text -> document.append(LAST_ERROR, new BsonString(text)));
    if (settlement.status() == MessageStatus.FAILED) {
      document.append(SETTLED_AT, now);
    }
    return document;
  }

  /** A document of the log that is no message, as a dead letter that blocks no key. */
  static BsonDocument buried(int lane, Unreadable unreadable, BsonDateTime now) {
    BsonDocument document = unreadable.document().clone();
    return document
        .append(LogDocument.MESSAGE_ID, MessageDocument.id(messageId(document)))
        .append(KEY, key(lane, new OrderKey("", "sequence/" + unreadable.sequence())))
        .append(STATUS, status(MessageStatus.FAILED))
        .append(ATTEMPTS, new BsonInt32(1))
        .append(LAST_ERROR, new BsonString(unreadable.error()))
        .append(SETTLED_AT, now);
  }

  /** A message in the place of a dead letter. */
  public static BsonDocument replacement(Message message, BsonDocument dead) {
    BsonInt64 id = dead.getInt64(MessageDocument.ID);
    return LogDocument.write(message, id, dead.getDateTime(MessageDocument.CREATED_AT))
        .append(KEY, key(lane(dead), OrderKey.of(message)))
        .append(STATUS, status(MessageStatus.PENDING))
        .append(ATTEMPTS, new BsonInt32(0));
  }

  public static BsonString status(MessageStatus status) {
    return new BsonString(status.name());
  }

  /** Returns the key under which a settled message waits. */
  static BsonDocument line(int lane, Settlement settlement) {
    Message message = settlement.claim().message();
    return blocksNoKey(settlement)
        ? alone(lane, message.destination(), message.id())
        : key(lane, OrderKey.of(message));
  }

  static boolean blocksNoKey(Settlement settlement) {
    return settlement instanceof Settlement.Dead dead && !dead.blocksKey();
  }

  /** A line of its own, as a message without a key has it. */
  public static BsonDocument alone(int lane, String destination, UUID id) {
    return key(lane, new OrderKey(destination, "id/" + id));
  }

  public static BsonDocument key(int lane, OrderKey key) {
    return new BsonDocument(LANE, new BsonInt32(lane))
        .append(DESTINATION, new BsonString(key.destination()))
        .append(NAME, new BsonString(key.name()));
  }

  public static OrderKey orderKey(BsonDocument key) {
    return new OrderKey(MessageDocument.text(key, DESTINATION), MessageDocument.text(key, NAME));
  }

  /** Whether others can have this key, so that they wait for each other. */
  public static boolean isShared(BsonDocument key) {
    return MessageDocument.text(key, NAME).startsWith(SHARED);
  }

  public static BsonDocument keyOf(BsonDocument held) {
    return held.getDocument(KEY);
  }

  public static int lane(BsonDocument held) {
    return LogIds.lane(held.getInt64(MessageDocument.ID).getValue());
  }

  static boolean isDead(BsonDocument held) {
    return MessageDocument.text(held, STATUS).equals(MessageStatus.FAILED.name());
  }

  /** The message's id, or one that follows from its place where the document was edited. */
  public static UUID messageId(BsonDocument document) {
    BsonValue id = document.get(LogDocument.MESSAGE_ID);
    return id != null && MessageDocument.isUuid(id)
        ? id.asBinary().asUuid()
        : new UUID(0, document.getInt64(MessageDocument.ID).getValue());
  }
}
