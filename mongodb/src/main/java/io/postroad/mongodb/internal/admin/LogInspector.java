package io.postroad.mongodb.internal.admin;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.log.BlockedDocument;
import io.postroad.mongodb.internal.log.BlockedLines;
import io.postroad.mongodb.internal.log.Lanes;
import io.postroad.mongodb.internal.log.LogDocument;
import io.postroad.mongodb.internal.log.LogIds;
import io.postroad.mongodb.internal.log.LogPosition;
import io.postroad.mongodb.internal.log.Schedule;
import io.postroad.store.Backlog;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the ordered outbox and changes nothing: one message, the backlog. In a transaction,
 * which sees one moment, and also what was written a moment ago and no majority has yet: how far a
 * lane came.
 */
public final class LogInspector {
  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));

  private final Database database;
  private final MongoTransactions transactions;
  private final Lanes owners;
  private final MongoCollection<BsonDocument> log;
  private final MongoCollection<BsonDocument> held;
  private final MongoCollection<BsonDocument> keys;
  private final MongoCollection<BsonDocument> scheduled;

  public LogInspector(Database database, MongoTransactions transactions, Lanes owners) {
    this.database = database;
    this.transactions = transactions;
    this.owners = owners;
    this.log = database.callersCollection(Names.LOG);
    this.held = database.callersCollection(Names.HELD);
    this.keys = database.callersCollection(Names.HELD_KEY);
    this.scheduled = database.callersCollection(Names.SCHEDULED);
  }

  public Optional<StoredMessage> find(UUID id) {
    return read(
        "find message " + id,
        session ->
            findHeld(session, id)
                .or(() -> findScheduled(session, id))
                .or(() -> findInLog(session, id)));
  }

  /** Whether a message with this id is stored, delivered ones too. */
  boolean knows(ClientSession session, UUID id) {
    BsonDocument scheduledAs = new BsonDocument(MessageDocument.ID, MessageDocument.id(id));
    return held.find(session, byMessageId(id)).projection(ID_ONLY).first() != null
        || scheduled.find(session, scheduledAs).projection(ID_ONLY).first() != null
        || log.find(session, byMessageId(id)).projection(ID_ONLY).first() != null;
  }

  private Optional<StoredMessage> findHeld(ClientSession session, UUID id) {
    @Nullable BsonDocument message = held.find(session, byMessageId(id)).first();
    if (message == null) {
      return Optional.empty();
    }
    @Nullable BsonDocument key =
        keys.find(session, new BsonDocument(MessageDocument.ID, message.get(BlockedDocument.KEY)))
            .first();
    Optional<String> owner = MessageDocument.optional(message, BlockedDocument.SENT_BY);
    boolean sending = owner.isPresent() && lane(session, message).getBoolean("holds").getValue();
    return Optional.of(
        stored(
            message,
            LogDocument.MESSAGE_ID,
            sending
                ? MessageStatus.PROCESSING
                : MessageStatus.valueOf(MessageDocument.text(message, BlockedDocument.STATUS)),
            message.getNumber(BlockedDocument.ATTEMPTS).intValue(),
            key == null ? createdAt(message) : MessageDocument.instant(key, BlockedLines.DUE_AT)));
  }

  private Optional<StoredMessage> findScheduled(ClientSession session, UUID id) {
    @Nullable BsonDocument message =
        scheduled
            .find(session, new BsonDocument(MessageDocument.ID, MessageDocument.id(id)))
            .first();
    return message == null
        ? Optional.empty()
        : Optional.of(
            stored(
                message,
                MessageDocument.ID,
                MessageStatus.PENDING,
                0,
                MessageDocument.instant(message, Schedule.NOT_BEFORE)));
  }

  private Optional<StoredMessage> findInLog(ClientSession session, UUID id) {
    @Nullable BsonDocument message = log.find(session, byMessageId(id)).first();
    if (message == null) {
      return Optional.empty();
    }
    boolean settled = LogPosition.of(lane(session, message)).covers(LogIds.sequence(message));
    return Optional.of(
        stored(
            message,
            LogDocument.MESSAGE_ID,
            settled ? MessageStatus.DISPATCHED : MessageStatus.PENDING,
            settled ? 1 : 0,
            dueAt(message)));
  }

  private static StoredMessage stored(
      BsonDocument document, String idField, MessageStatus status, int attempts, Instant dueAt) {
    try {
      return new StoredMessage(
          MessageDocument.read(document, idField),
          status,
          attempts,
          createdAt(document),
          dueAt,
          MessageDocument.optional(document, BlockedDocument.SENT_BY),
          MessageDocument.optional(document, BlockedDocument.LAST_ERROR));
    } catch (IllegalArgumentException unreadable) {
      throw new PostroadException(
          "message %s cannot be read: %s; correct or delete its document"
              .formatted(MessageDocument.uuid(document, idField), unreadable.getMessage()),
          unreadable);
    }
  }

  private BsonDocument lane(ClientSession session, BsonDocument message) {
    int lane = LogIds.lane(message.getInt64(MessageDocument.ID).getValue());
    return owners.all(session).get(lane);
  }

  private static BsonDocument byMessageId(UUID id) {
    return new BsonDocument(LogDocument.MESSAGE_ID, MessageDocument.id(id));
  }

  private static Instant createdAt(BsonDocument document) {
    return MessageDocument.instant(document, MessageDocument.CREATED_AT);
  }

  /** When it was appended, or when it was scheduled for. */
  private static Instant dueAt(BsonDocument message) {
    Instant created = createdAt(message);
    if (!message.containsKey(Schedule.NOT_BEFORE)) {
      return created;
    }
    Instant planned = MessageDocument.instant(message, Schedule.NOT_BEFORE);
    return planned.isAfter(created) ? planned : created;
  }

  public Backlog backlog() {
    Instant now = database.time().ask();
    return read(
        "read the backlog",
        session -> {
          List<BsonDocument> lanes = owners.all(session);
          long pending = count(session, log, unread(lanes));
          pending += count(session, held, withStatus(MessageStatus.PENDING));
          pending += count(session, scheduled, new BsonDocument());
          return new Backlog(
              Math.min(pending, Backlog.COUNT_LIMIT),
              count(session, held, withStatus(MessageStatus.FAILED)),
              lag(session, lanes, now));
        });
  }

  private static BsonDocument unread(List<BsonDocument> lanes) {
    List<BsonValue> any = new ArrayList<>();
    lanes.forEach(lane -> any.add(LogIds.unread(number(lane), LogPosition.of(lane))));
    return new BsonDocument("$or", new BsonArray(any))
        .append(LogDocument.TOMBSTONE, BsonNull.VALUE);
  }

  private static BsonDocument withStatus(MessageStatus status) {
    return new BsonDocument(BlockedDocument.STATUS, new BsonString(status.name()));
  }

  private static long count(
      ClientSession session, MongoCollection<BsonDocument> collection, BsonDocument filter) {
    BsonDocument limit = new BsonDocument("$limit", new BsonInt32(Backlog.COUNT_LIMIT));
    BsonDocument count = new BsonDocument("$count", new BsonString("n"));
    @Nullable BsonDocument counted =
        collection
            .aggregate(session, List.of(new BsonDocument("$match", filter), limit, count))
            .first();
    return counted == null ? 0 : counted.getNumber("n").longValue();
  }

  private Duration lag(ClientSession session, List<BsonDocument> lanes, Instant now) {
    return lanes.stream()
        .flatMap(lane -> oldest(session, lane))
        .min(Comparator.naturalOrder())
        .filter(dueAt -> dueAt.isBefore(now))
        .map(dueAt -> Duration.between(dueAt, now))
        .orElse(Duration.ZERO);
  }

  /** Returns the longest due message of a lane: unread, blocked or scheduled. */
  private Stream<Instant> oldest(ClientSession session, BsonDocument lane) {
    int number = number(lane);
    BsonDocument unread =
        LogIds.unread(number, LogPosition.of(lane)).append(LogDocument.TOMBSTONE, BsonNull.VALUE);
    @Nullable BsonDocument message = log.find(session, unread).sort(ID_ONLY).first();
    BsonValue dueNow = database.time().now();
    @Nullable BsonDocument key =
        keys.find(session, BlockedLines.due(number, dueNow))
            .sort(new BsonDocument(BlockedLines.DUE_AT, new BsonInt32(1)))
            .first();
    @Nullable BsonDocument planned =
        scheduled
            .find(session, Schedule.due(number, dueNow))
            .sort(Schedule.LONGEST_DUE_FIRST)
            .first();
    return Stream.of(
            Optional.ofNullable(message).map(LogInspector::dueAt),
            Optional.ofNullable(key)
                .map(document -> MessageDocument.instant(document, BlockedLines.DUE_AT)),
            Optional.ofNullable(planned)
                .map(document -> MessageDocument.instant(document, Schedule.NOT_BEFORE)))
        .flatMap(Optional::stream);
  }

  private <R> R read(String what, Function<ClientSession, R> reads) {
    return transactions.transact(what, reads);
  }

  private static int number(BsonDocument lane) {
    return lane.getInt32(MessageDocument.ID).getValue();
  }
}
