package io.postroad.mongodb.internal.queue;

import com.mongodb.client.MongoCollection;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.admin.DeadLetterDocument;
import io.postroad.mongodb.internal.admin.DeadLetterQuery;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Look;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.MessageStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The queue in the collection that Postroad makes: {@link QueueDocument}. */
public final class NativeQueue extends QueueForm {
  private static final String STREAM_INDEX = "outbox_stream_idx";
  private static final String IN_FUTURE = "in_future";
  private static final BsonString REMOVE = new BsonString("$$REMOVE");

  public NativeQueue() {
    super(
        new QueueNames(
            QueueDocument.STATUS,
            QueueDocument.ATTEMPTS,
            QueueDocument.LAST_ERROR,
            new QueueNames.Lease(
                QueueDocument.TOKEN,
                QueueDocument.LEASE_OWNER,
                QueueDocument.LEASE_UNTIL,
                QueueDocument.EXPIRED_OWNER),
            new QueueNames.Times(
                MessageDocument.CREATED_AT, QueueDocument.SETTLED_AT, QueueDocument.ASIDE_AT),
            new QueueNames.Marks(
                QueueDocument.CLAIM, QueueDocument.SETTLE, QueueDocument.REPLACES)),
        DestinationIndex.OF_MESSAGES);
  }

  @Override
  public MongoCollection<BsonDocument> collection(Database database) {
    return database.collection(Names.OUTBOX);
  }

  @Override
  public MongoCollection<BsonDocument> callersCollection(Database database) {
    return database.callersCollection(Names.OUTBOX);
  }

  @Override
  public BsonDocument fresh(Message message, BsonDateTime now) {
    return QueueDocument.fresh(message, now);
  }

  @Override
  public Message read(BsonDocument document) {
    return MessageDocument.read(document);
  }

  @Override
  public UUID id(BsonDocument document) {
    return MessageDocument.id(document);
  }

  @Override
  boolean hasId(BsonDocument document) {
    return MessageDocument.isUuid(document.get(MessageDocument.ID, BsonNull.VALUE));
  }

  @Override
  public BsonDocument among(Collection<UUID> ids) {
    return Bson.ids(ids);
  }

  @Override
  public BsonDocument shown(ServerTime time) {
    return new BsonDocument(
        IN_FUTURE, Bson.of("$gt", Bson.field(QueueDocument.DUE_AT), time.now()));
  }

  @Override
  public MessageStatus status(BsonDocument document) {
    String status = MessageDocument.text(document, QueueDocument.STATUS);
    return switch (status) {
      case QueueDocument.DONE -> MessageStatus.DISPATCHED;
      case QueueDocument.DEAD -> MessageStatus.FAILED;
      case QueueDocument.PROCESSING ->
          document.getBoolean(IN_FUTURE).getValue()
              ? MessageStatus.PROCESSING
              : MessageStatus.PENDING;
      default -> MessageStatus.PENDING;
    };
  }

  @Override
  public int tried(BsonDocument document) {
    return document.isNumber(QueueDocument.ATTEMPTS)
        ? document.getNumber(QueueDocument.ATTEMPTS).intValue()
        : 0;
  }

  @Override
  public Instant createdAt(BsonDocument document) {
    return DeadLetterDocument.time(document, MessageDocument.CREATED_AT);
  }

  @Override
  public Instant dueAt(BsonDocument document) {
    return MessageDocument.instant(
        document,
        document.containsKey(QueueDocument.DUE_AT)
            ? QueueDocument.DUE_AT
            : QueueDocument.NEXT_RETRY_AT);
  }

  @Override
  public BsonDocument due(ServerTime time) {
    return QueueDocument.due(time);
  }

  @Override
  public List<Look> looks(ServerTime time) {
    return List.of(look(QueueDocument.due(time), QueueDocument.DUE_AT));
  }

  @Override
  public List<Look> looks(String destination, ServerTime time) {
    BsonDocument which = new BsonDocument(MessageDocument.DESTINATION, new BsonString(destination));
    which.putAll(QueueDocument.due(time));
    return List.of(look(which, QueueDocument.DUE_AT).by(STREAM_INDEX));
  }

  private static Look look(BsonDocument which, String by) {
    return new Look(which, new BsonDocument(by, new BsonInt32(1)), by, Optional.empty());
  }

  @Override
  public BsonDocument taken(ClaimRequest request, BsonObjectId mark, ServerTime time) {
    BsonDocument expired =
        Bson.of(
            "$cond",
            Bson.of(
                "$eq", Bson.field(QueueDocument.STATUS), new BsonString(QueueDocument.PROCESSING)),
            Bson.field(QueueDocument.LEASE_OWNER),
            REMOVE);
    return new BsonDocument(QueueDocument.EXPIRED_OWNER, expired)
        .append(QueueDocument.STATUS, new BsonString(QueueDocument.PROCESSING))
        .append(QueueDocument.LEASE_OWNER, Bson.literal(request.owner()))
        .append(QueueDocument.LEASE_UNTIL, time.plus(request.leaseFor()))
        .append(QueueDocument.DUE_AT, time.plus(request.leaseFor()))
        .append(QueueDocument.ATTEMPTS, plusOne(QueueDocument.ATTEMPTS))
        .append(QueueDocument.TOKEN, plusOne(QueueDocument.TOKEN))
        .append(QueueDocument.ASIDE_AT, REMOVE)
        .append(QueueDocument.CLAIM, mark);
  }

  private static BsonDocument plusOne(String field) {
    return Bson.of("$add", Bson.field(field), new BsonInt32(1));
  }

  @Override
  public BsonDocument held(Collection<UUID> ids, long token) {
    return Bson.ids(ids)
        .append(QueueDocument.TOKEN, new BsonInt64(token))
        .append(QueueDocument.LEASE_OWNER, new BsonDocument("$type", new BsonString("string")));
  }

  @Override
  public List<BsonDocument> extended(Duration leaseFor, ServerTime time) {
    return List.of(
        Bson.set(
            new BsonDocument(QueueDocument.LEASE_UNTIL, time.plus(leaseFor))
                .append(QueueDocument.DUE_AT, time.plus(leaseFor))));
  }

  @Override
  public List<BsonDocument> settled(Settlement settlement, BsonObjectId mark, ServerTime time) {
    BsonDocument set =
        switch (settlement.status()) {
          case DISPATCHED -> settled(QueueDocument.DONE, time);
          case FAILED -> dead(settlement.lastError().orElse(""), time);
          default -> waiting(settlement, time);
        };
    set.append(QueueDocument.SETTLE, mark);
    return settlement.status() == MessageStatus.PENDING
        ? List.of(Bson.set(set), Bson.unset(QueueDocument.EXPIRED_OWNER, QueueDocument.CLAIM))
        : List.of(
            Bson.set(set),
            Bson.unset(QueueDocument.DUE_AT, QueueDocument.EXPIRED_OWNER, QueueDocument.CLAIM));
  }

  @Override
  public List<BsonDocument> buried(String error, ServerTime time) {
    return List.of(
        Bson.set(dead(error, time)), Bson.unset(QueueDocument.DUE_AT, QueueDocument.CLAIM));
  }

  private static BsonDocument dead(String error, ServerTime time) {
    return settled(QueueDocument.DEAD, time).append(QueueDocument.LAST_ERROR, Bson.literal(error));
  }

  private static BsonDocument settled(String status, ServerTime time) {
    return free()
        .append(QueueDocument.STATUS, new BsonString(status))
        .append(QueueDocument.SETTLED_AT, time.now());
  }

  /** Waiting again: {@code failed}, or {@code new} if it has never been tried. */
  private static BsonDocument waiting(Settlement settlement, ServerTime time) {
    BsonDocument attempts =
        Bson.of(
            "$subtract",
            Bson.field(QueueDocument.ATTEMPTS),
            new BsonInt32(settlement.countsAsAttempt() ? 0 : 1));
    BsonDocument status =
        Bson.of(
            "$cond",
            Bson.of("$lte", attempts, new BsonInt32(0)),
            new BsonString(QueueDocument.NEW),
            new BsonString(QueueDocument.RETRY));
    boolean aside = settlement instanceof Settlement.Blocked;
    BsonValue dueAt = aside ? DestinationIndex.DUE_AT : time.plus(settlement.delay());
    BsonDocument set =
        free()
            .append(QueueDocument.STATUS, status)
            .append(QueueDocument.ATTEMPTS, attempts)
            .append(QueueDocument.NEXT_RETRY_AT, dueAt)
            .append(QueueDocument.DUE_AT, dueAt);
    if (aside) {
      set.append(QueueDocument.ASIDE_AT, time.now());
    }
    settlement
        .lastError()
        .ifPresent(error -> set.append(QueueDocument.LAST_ERROR, Bson.literal(error)));
    return set;
  }

  private static BsonDocument free() {
    return new BsonDocument(QueueDocument.LEASE_OWNER, BsonNull.VALUE)
        .append(QueueDocument.LEASE_UNTIL, BsonNull.VALUE);
  }

  @Override
  public List<BsonDocument> opened(ServerTime time) {
    BsonDocument due =
        new BsonDocument(QueueDocument.NEXT_RETRY_AT, time.now())
            .append(QueueDocument.DUE_AT, time.now());
    return List.of(Bson.set(due), Bson.unset(QueueDocument.ASIDE_AT));
  }

  @Override
  public List<Look> undelivered() {
    return List.of(
        look(
            new BsonDocument(QueueDocument.DUE_AT, new BsonDocument("$exists", BsonBoolean.TRUE)),
            QueueDocument.DUE_AT));
  }

  @Override
  public BsonValue dueSince() {
    return Bson.field(QueueDocument.DUE_AT);
  }

  @Override
  public List<Look> delivered(Duration olderThan, ServerTime time) {
    BsonDocument old =
        QueueDocument.settled(QueueDocument.DONE)
            .append(
                "$expr",
                Bson.of(
                    "$lte", Bson.field(QueueDocument.SETTLED_AT), time.plus(olderThan.negated())));
    return List.of(look(old, QueueDocument.SETTLED_AT));
  }

  @Override
  public BsonDocument isDelivered() {
    return new BsonDocument(QueueDocument.STATUS, new BsonString(QueueDocument.DONE));
  }

  @Override
  public BsonDocument isDead() {
    return new BsonDocument(QueueDocument.STATUS, new BsonString(QueueDocument.DEAD));
  }

  @Override
  public BsonDocument dead() {
    return QueueDocument.settled(QueueDocument.DEAD);
  }

  @Override
  public Optional<BsonValue> rawId(UUID id) {
    return Optional.of(MessageDocument.id(id));
  }

  @Override
  public BsonDocument narrowed(
      BsonDocument all,
      DeadLetterFilter filter,
      Optional<DeadLetter.Mark> after,
      BsonValue lastId) {
    return DeadLetterQuery.narrowed(all, filter, after, MessageDocument.ID);
  }

  /** The token stays: an earlier claim no longer holds the message, and the next one raises it. */
  @Override
  public BsonDocument again(BsonDateTime now) {
    return new BsonDocument(QueueDocument.STATUS, new BsonString(QueueDocument.NEW))
        .append(QueueDocument.ATTEMPTS, new BsonInt32(0))
        .append(QueueDocument.LEASE_OWNER, BsonNull.VALUE)
        .append(QueueDocument.LEASE_UNTIL, BsonNull.VALUE)
        .append(QueueDocument.NEXT_RETRY_AT, now)
        .append(QueueDocument.DUE_AT, now);
  }

  @Override
  public Set<String> forgotten() {
    return Set.of(QueueDocument.SETTLED_AT);
  }

  @Override
  public Message standIn(BsonDocument document) {
    return DeadLetterDocument.standIn(document, id(document));
  }
}
