package io.postroad.mongodb.internal.client;

import io.postroad.layout.Field;
import io.postroad.mongodb.internal.append.MessageDocument;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * Message ids of documents whose {@code _id} may be of any kind. A UUID, also as text, is itself;
 * an ObjectId is a UUID of version 8 that can be turned back and keeps the order; everything else
 * has a UUID made of its name, which is kept in the document to be found by.
 */
public final class DocumentIds {
  /** The message's id, where {@code _id} does not tell it. */
  public static final String OWN_ID = Field.ID.addedName();

  private static final int MARK_BITS = 26;
  private static final long MARK = 0x150_57AD;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  private DocumentIds() {}

  public static UUID of(BsonDocument document) {
    BsonValue own = document.get(OWN_ID, BsonNull.VALUE);
    return MessageDocument.isUuid(own)
        ? own.asBinary().asUuid()
        : of(document.get(MessageDocument.ID, BsonNull.VALUE));
  }

  static UUID of(BsonValue id) {
    if (MessageDocument.isUuid(id)) {
      return id.asBinary().asUuid();
    }
    if (id.isObjectId()) {
      return ofObjectId(id.asObjectId().getValue());
    }
    if (id.isString()) {
      return ofText(id.asString().getValue()).orElseGet(() -> named(id));
    }
    return named(id);
  }

  private static Optional<UUID> ofText(String text) {
    try {
      UUID id = UUID.fromString(text);
      return id.toString().equalsIgnoreCase(text) ? Optional.of(id) : Optional.empty();
    } catch (IllegalArgumentException other) {
      return Optional.empty();
    }
  }

  private static UUID named(BsonValue id) {
    String name = new BsonDocument("_id", id).toJson();
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  private static UUID ofObjectId(ObjectId id) {
    ByteBuffer bytes = ByteBuffer.wrap(id.toByteArray());
    long first = bytes.getLong();
    long rest = Integer.toUnsignedLong(bytes.getInt());
    long high = (first >>> 16 << 16) | 0x8000L | ((first >>> 4) & 0x0FFF);
    long low = VARIANT | ((first & 0xF) << 58) | (rest << MARK_BITS) | MARK;
    return new UUID(high, low);
  }

  /** The ObjectId that a UUID was made of. */
  private static Optional<ObjectId> objectId(UUID id) {
    long low = id.getLeastSignificantBits();
    if (id.version() != 8 || id.variant() != 2 || (low & ((1L << MARK_BITS) - 1)) != MARK) {
      return Optional.empty();
    }
    long high = id.getMostSignificantBits();
    long first = (high >>> 16 << 16) | ((high & 0x0FFF) << 4) | ((low >>> 58) & 0xF);
    int rest = (int) (low >>> MARK_BITS);
    return Optional.of(new ObjectId(ByteBuffer.allocate(12).putLong(first).putInt(rest).array()));
  }

  /** Returns the {@code _id} that a document with this message id may have. */
  private static List<BsonValue> candidates(UUID id) {
    return objectId(id)
        .map(found -> List.<BsonValue>of(new BsonObjectId(found)))
        .orElseGet(() -> List.of(MessageDocument.id(id), new BsonString(id.toString())));
  }

  /** The documents of these messages. */
  public static BsonDocument among(Collection<UUID> ids) {
    List<BsonValue> candidates = new ArrayList<>();
    ids.forEach(id -> candidates.addAll(candidates(id)));
    BsonDocument own =
        new BsonDocument(OWN_ID, Bson.in(ids.stream().map(MessageDocument::id).toList()));
    return new BsonDocument(
        "$or",
        new BsonArray(List.of(new BsonDocument(MessageDocument.ID, Bson.in(candidates)), own)));
  }

  /** Whether a document is found by its message id only when that is written into it. */
  public static boolean needsOwnId(BsonDocument document) {
    BsonValue id = document.get(MessageDocument.ID, BsonNull.VALUE);
    return !document.containsKey(OWN_ID) && !candidates(of(id)).contains(id);
  }

  /** Which kind of {@code _id} a collection has, so that what is appended has it too. */
  public enum Kind {
    UUID,
    TEXT,
    OBJECT_ID;

    public static Kind of(Collection<BsonDocument> sample) {
      List<BsonValue> ids =
          sample.stream().map(document -> document.get(MessageDocument.ID)).toList();
      if (!ids.isEmpty() && ids.stream().allMatch(BsonValue::isObjectId)) {
        return OBJECT_ID;
      }
      return !ids.isEmpty() && ids.stream().allMatch(BsonValue::isString) ? TEXT : UUID;
    }

    /** Gives a document the id of its message. */
    public void write(java.util.UUID id, BsonDocument document) {
      Optional<ObjectId> objectId = objectId(id);
      if (objectId.isPresent()) {
        document.put(MessageDocument.ID, new BsonObjectId(objectId.get()));
      } else if (this == OBJECT_ID) {
        document.put(MessageDocument.ID, new BsonObjectId());
        document.put(OWN_ID, MessageDocument.id(id));
      } else {
        document.put(
            MessageDocument.ID,
            this == TEXT ? new BsonString(id.toString()) : MessageDocument.id(id));
      }
    }
  }
}
