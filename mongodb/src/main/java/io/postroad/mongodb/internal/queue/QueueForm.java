package io.postroad.mongodb.internal.queue;

import com.mongodb.client.MongoCollection;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.admin.DeadLetterDocument;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Look;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonValue;

/**
 * How a queue keeps messages in documents: the names of its fields, the words of its statuses, and
 * what each verb asks for and writes. The verbs themselves know none of it. Immutable.
 */
public abstract class QueueForm {
  private final QueueNames names;
  private final DestinationIndex asideIndex;

  public QueueForm(QueueNames names, DestinationIndex asideIndex) {
    this.names = names;
    this.asideIndex = asideIndex;
  }

  public final QueueNames names() {
    return names;
  }

  final DestinationIndex asideIndex() {
    return asideIndex;
  }

  /** For operations of our own, bounded in time. */
  public abstract MongoCollection<BsonDocument> collection(Database database);

  /** For operations in the caller's session. */
  public abstract MongoCollection<BsonDocument> callersCollection(Database database);

  // Messages

  /** A message that is appended now. */
  public abstract BsonDocument fresh(Message message, BsonDateTime now);

  /**
   * The message of a document.
   *
   * @throws IllegalArgumentException when it is none
   */
  public abstract Message read(BsonDocument document);

  /** The id of the message of a document, whether the rest of it can be read or not. */
  public abstract UUID id(BsonDocument document);

  /** Whether a document has an id that is one of a message. */
  boolean hasId(BsonDocument document) {
    return true;
  }

  /** The documents of these messages. */
  public abstract BsonDocument among(Collection<UUID> ids);

  /** Returns the fields that {@link #id} needs. */
  public BsonDocument idOnly() {
    return new BsonDocument(MessageDocument.ID, new BsonInt32(1));
  }

  /** The claim of a document that was just claimed. */
  final Claim claim(BsonDocument claimed) {
    return new Claim(
        read(claimed),
        token(claimed),
        tried(claimed),
        createdAt(claimed),
        MessageDocument.optional(claimed, names.lease().expiredOwner()));
  }

  final long token(BsonDocument document) {
    return document.getNumber(names.lease().token()).longValue();
  }

  /**
   * Returns the state of a message; {@link #shown} has added the fields that only the server knows.
   */
  public final StoredMessage stored(BsonDocument document) {
    return new StoredMessage(
        read(document),
        status(document),
        tried(document),
        createdAt(document),
        dueAt(document),
        MessageDocument.optional(document, names.lease().owner()),
        MessageDocument.optional(document, names.lastError()));
  }

  /** Fields to be computed for {@link #stored}. */
  public abstract BsonDocument shown(ServerTime time);

  public abstract MessageStatus status(BsonDocument document);

  /** How often it was tried, with a try that is under way and the one that delivered it. */
  public abstract int tried(BsonDocument document);

  public abstract Instant createdAt(BsonDocument document);

  public abstract Instant dueAt(BsonDocument document);

  /** Returns the fields by which a document is found by the id of its message. */
  public Optional<BsonDocument> ownId(BsonDocument document) {
    return Optional.empty();
  }

  // Claims

  /** Selects the documents to take in before a claim. */
  public List<Intake.Step> claimIntake(ServerTime time) {
    return List.of();
  }

  /** Selects the documents to take in before dead letters are read. */
  public List<Intake.Step> deadIntake(ServerTime time) {
    return List.of();
  }

  /** Selects the documents that can be claimed. */
  public abstract BsonDocument due(ServerTime time);

  /** How to find it, by what is due for longest; several where no single index has all of it. */
  public abstract List<Look> looks(ServerTime time);

  /** The same of one destination only, by the indexes for that. */
  public abstract List<Look> looks(String destination, ServerTime time);

  /** Returns the fields that a claim sets. */
  public abstract BsonDocument taken(ClaimRequest request, BsonObjectId mark, ServerTime time);

  /** Those of these messages that their latest claim, of this token, still holds. */
  public abstract BsonDocument held(Collection<UUID> ids, long token);

  public abstract List<BsonDocument> extended(Duration leaseFor, ServerTime time);

  public abstract List<BsonDocument> settled(
      Settlement settlement, BsonObjectId mark, ServerTime time);

  /** Returns the update that makes an invalid document a dead letter. */
  public abstract List<BsonDocument> buried(String error, ServerTime time);

  // Blocked messages

  /** Returns the update that makes blocked messages due. */
  public abstract List<BsonDocument> opened(ServerTime time);

  /** All that is neither delivered nor dead. */
  public abstract List<Look> undelivered();

  /** Returns the lag of a document that is due. */
  public abstract BsonValue dueSince();

  /** Delivered so long ago. */
  public abstract List<Look> delivered(Duration olderThan, ServerTime time);

  /** Delivered, whenever. */
  public abstract BsonDocument isDelivered();

  // Dead letters

  public abstract BsonDocument isDead();

  /** Those that are dead, for the index of them. */
  public abstract BsonDocument dead();

  /**
   * Narrows a query for dead letters.
   *
   * @param lastId the {@code _id} of the message of the mark
   */
  public abstract BsonDocument narrowed(
      BsonDocument all, DeadLetterFilter filter, Optional<DeadLetter.Mark> after, BsonValue lastId);

  /** The {@code _id} of a message's document, where no query is needed. */
  public abstract Optional<BsonValue> rawId(UUID id);

  /** Returns the fields of a message that is replayed. */
  public abstract BsonDocument again(BsonDateTime now);

  /** The fields that it loses. */
  public abstract Set<String> forgotten();

  public final DeadLetter letter(BsonDocument document) {
    return DeadLetterDocument.letter(document, this);
  }

  /** As much as can be shown of the message of a document that is none. */
  public abstract Message standIn(BsonDocument document);
}
