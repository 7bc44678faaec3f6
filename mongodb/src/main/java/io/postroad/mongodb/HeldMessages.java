package io.postroad.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import io.postroad.store.Claim;
import io.postroad.store.LaneLease;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import io.postroad.store.Settlement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages that a lane has passed without delivering them: HOLD, TAKE, SETTLE, per key. */
final class HeldMessages {
  static final String KEY = "held_key";
  static final String STATUS = "status";
  static final String ATTEMPTS = "attempts";
  static final String LAST_ERROR = "last_error";
  static final String SENT_BY = "sent_by";
  static final String DUE_AT = "due_at";
  static final String PARKED = "parked";
  static final String LANE = "lane";

  private static final Logger LOG = LoggerFactory.getLogger(HeldMessages.class);
  private static final String SETTLED_AT = "settled_at";
  private static final String MESSAGE = "message";

  private final Database database;
  private final Snapshots snapshots;
  private final MongoTransactions transactions;
  private final Fence fence;
  private final MongoCollection<BsonDocument> held;
  private final MongoCollection<BsonDocument> keys;

  HeldMessages(
      Database database, Snapshots snapshots, MongoTransactions transactions, Fence fence) {
    this.database = database;
    this.snapshots = snapshots;
    this.transactions = transactions;
    this.fence = fence;
    this.held = database.callersCollection(Names.HELD);
    this.keys = database.callersCollection(Names.HELD_KEY);
  }

  /** Moves messages out of the lane's way and writes the lane's position, in one transaction. */
  void hold(LaneLease lease, LogPosition upTo, List<Settlement> settlements) {
    List<Settlement> inOrder =
        settlements.stream()
            .sorted(Comparator.comparingLong(settlement -> settlement.claim().token()))
            .toList();
    transact(
        "hold back messages of lane " + lease.lane(),
        session -> {
          BsonDateTime now =
              fence.pass(session, lease, "hold back messages", LogCursor.fields(upTo));
          Map<BsonValue, BsonDocument> messages = new LinkedHashMap<>();
          Map<BsonValue, BsonDocument> ofKeys = new LinkedHashMap<>();
          for (Settlement settlement : inOrder) {
            BsonDocument key = key(lease.lane(), OrderKey.of(settlement.claim().message()));
            BsonDocument message = heldBack(lease.lane(), settlement, key, now);
            messages.put(message.get(MessageDocument.ID), message);
            ofKeys.putIfAbsent(
                key,
                heldKey(
                    lease.lane(),
                    key,
                    later(now, settlement),
                    settlement.status() == MessageStatus.FAILED));
          }
          insertNew(session, held, messages);
          insertNew(session, keys, ofKeys);
          return true;
        });
  }

  private static BsonDocument heldBack(
      int lane, Settlement settlement, BsonDocument key, BsonDateTime now) {
    Claim claim = settlement.claim();
    BsonDocument document =
        LogDocument.write(
            claim.message(),
            TicketIds.id(lane, claim.token()),
            MessageDocument.time(claim.appendedAt()));
    document
        .append(KEY, key)
        .append(STATUS, new BsonString(settlement.status().name()))
        .append(ATTEMPTS, new BsonInt32(settlement.countsAsAttempt() ? 1 : 0));
    settlement.lastError().ifPresent(text -> document.append(LAST_ERROR, new BsonString(text)));
    if (settlement.status() == MessageStatus.FAILED) {
      document.append(SETTLED_AT, now);
    }
    return document;
  }

  private static BsonDocument heldKey(
      int lane, BsonDocument key, BsonDateTime dueAt, boolean parked) {
    return new BsonDocument(MessageDocument.ID, key)
        .append(LANE, new BsonInt32(lane))
        .append(PARKED, BsonBoolean.valueOf(parked))
        .append(DUE_AT, dueAt);
  }

  /** What is there already stays as it is. */
  private static void insertNew(
      ClientSession session,
      MongoCollection<BsonDocument> collection,
      Map<BsonValue, BsonDocument> documents) {
    Map<BsonValue, BsonDocument> fresh = new LinkedHashMap<>(documents);
    collection
        .find(session, in(documents.keySet()))
        .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
        .forEach(there -> fresh.remove(there.get(MessageDocument.ID)));
    if (!fresh.isEmpty()) {
      collection.insertMany(session, List.copyOf(fresh.values()));
    }
  }

  /**
   * Makes documents of the log that are no messages dead letters that nobody waits for, so that the
   * lane can pass them. Doing it again changes nothing.
   */
  void bury(LaneLease lease, List<Unreadable> documents) {
    if (documents.isEmpty()) {
      return;
    }
    transact(
        "settle unreadable documents",
        session -> {
          BsonDateTime now = fence.pass(session, lease, "settle unreadable documents");
          Map<BsonValue, BsonDocument> messages = new LinkedHashMap<>();
          Map<BsonValue, BsonDocument> ofKeys = new LinkedHashMap<>();
          for (Unreadable unreadable : documents) {
            BsonDocument key = key(lease.lane(), new OrderKey("", "ticket/" + unreadable.ticket()));
            BsonDocument message =
                unreadable
                    .document()
                    .clone()
                    .append(KEY, key)
                    .append(STATUS, new BsonString(MessageStatus.FAILED.name()))
                    .append(ATTEMPTS, new BsonInt32(1))
                    .append(LAST_ERROR, new BsonString(unreadable.error()))
                    .append(SETTLED_AT, now);
            messages.put(message.get(MessageDocument.ID), message);
            ofKeys.put(key, heldKey(lease.lane(), key, now, true));
          }
          insertNew(session, held, messages);
          insertNew(session, keys, ofKeys);
          return true;
        });
    documents.forEach(
        each ->
            LOG.error(
                "mongodb: a message is a dead letter; lane={} ticket={} error={}",
                lease.lane(),
                each.ticket(),
                each.error()));
  }

  Set<OrderKey> keys(LaneLease lease) {
    return snapshots.read(
        "read the held keys of lane " + lease.lane(),
        session -> {
          fence.look(session, lease, "read its held keys");
          Set<OrderKey> found = new HashSet<>();
          keys.find(session, new BsonDocument(LANE, new BsonInt32(lease.lane())))
              .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
              .forEach(document -> found.add(orderKey(document.getDocument(MessageDocument.ID))));
          return found;
        });
  }

  /** Without anything due it writes nothing. */
  List<Claim> take(LaneLease lease, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("takeHeld limit must be 1 or more, got " + limit);
    }
    String what = "take held messages of lane " + lease.lane();
    boolean anyDue =
        snapshots.read(
            what,
            session -> {
              fence.look(session, lease, "take held messages");
              return keys.find(session, due(lease.lane(), database.time().now())).first() != null;
            });
    return anyDue ? transact(what, session -> take(session, lease, limit)) : List.of();
  }

  static BsonDocument due(int lane, BsonValue now) {
    return new BsonDocument(LANE, new BsonInt32(lane))
        .append(PARKED, BsonBoolean.FALSE)
        .append(
            "$expr",
            new BsonDocument("$lte", new BsonArray(List.of(new BsonString("$" + DUE_AT), now))));
  }

  private List<Claim> take(ClientSession session, LaneLease lease, int limit) {
    BsonDateTime now = fence.pass(session, lease, "take held messages");
    List<Claim> claims = new ArrayList<>();
    Set<BsonValue> stopped = new HashSet<>();
    List<BsonValue> taken = new ArrayList<>();
    for (BsonDocument row : keys.aggregate(session, dueMessages(lease.lane(), now, limit))) {
      BsonDocument message = row.getDocument(MESSAGE);
      BsonValue key = message.get(KEY);
      if (stopped.contains(key)) {
        continue;
      }
      Optional<Claim> claim = claim(message);
      if (claim.isEmpty()) {
        stopped.add(key);
      } else {
        claims.add(claim.get());
        taken.add(message.get(MessageDocument.ID));
      }
    }
    BsonDocument attempt =
        new BsonDocument("$inc", new BsonDocument(ATTEMPTS, new BsonInt32(1)))
            .append("$set", new BsonDocument(SENT_BY, new BsonString(lease.node())));
    held.updateMany(session, in(taken), attempt);
    return claims;
  }

  /** The keys that are due, the longest due first, each with its messages in order. */
  List<BsonDocument> dueMessages(int lane, BsonValue now, int limit) {
    BsonDocument messages =
        new BsonDocument("from", new BsonString(held.getNamespace().getCollectionName()))
            .append("localField", new BsonString(MessageDocument.ID))
            .append("foreignField", new BsonString(KEY))
            .append(
                "pipeline",
                new BsonArray(List.of(stage("$sort", MessageDocument.ID, 1), limit(limit))))
            .append("as", new BsonString(MESSAGE));
    return List.of(
        new BsonDocument("$match", due(lane, now)),
        stage("$sort", DUE_AT, 1),
        limit(limit),
        new BsonDocument("$lookup", messages),
        new BsonDocument("$unwind", new BsonString("$" + MESSAGE)),
        limit(limit));
  }

  /** The next attempt; none when it is dead or cannot be read, which ends its key. */
  private static Optional<Claim> claim(BsonDocument message) {
    if (isDead(message)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Claim(
              LogDocument.read(message),
              TicketIds.ticket(message),
              message.getNumber(ATTEMPTS).intValue() + 1,
              MessageDocument.instant(message, MessageDocument.CREATED_AT),
              MessageDocument.optional(message, SENT_BY)));
    } catch (IllegalArgumentException wrong) {
      LOG.error(
          "mongodb: a held message cannot be read, its key waits until it is corrected; ticket={}"
              + " error={}",
          TicketIds.ticket(message),
          Unreadable.error(wrong));
      return Optional.empty();
    }
  }

  private static boolean isDead(BsonDocument message) {
    return MessageDocument.text(message, STATUS).equals(MessageStatus.FAILED.name());
  }

  Set<OrderKey> settle(LaneLease lease, Collection<Settlement> settlements) {
    String what = "settle held messages of lane " + lease.lane();
    return transact(what, session -> settle(session, lease, settlements));
  }

  private Set<OrderKey> settle(
      ClientSession session, LaneLease lease, Collection<Settlement> settlements) {
    BsonDateTime now = fence.pass(session, lease, "settle held messages");
    Map<BsonValue, Settlement> byId = new HashMap<>();
    Set<BsonValue> affected = new HashSet<>();
    List<BsonValue> delivered = new ArrayList<>();
    List<UpdateOneModel<BsonDocument>> kept = new ArrayList<>();
    for (Settlement settlement : settlements) {
      Claim claim = settlement.claim();
      BsonInt64 id = TicketIds.id(lease.lane(), claim.token());
      byId.put(id, settlement);
      affected.add(key(lease.lane(), OrderKey.of(claim.message())));
      if (settlement.status() == MessageStatus.DISPATCHED) {
        delivered.add(id);
      } else {
        kept.add(
            new UpdateOneModel<>(new BsonDocument(MessageDocument.ID, id), kept(settlement, now)));
      }
    }
    if (!delivered.isEmpty()) {
      held.deleteMany(session, in(delivered));
    }
    if (!kept.isEmpty()) {
      held.bulkWrite(session, kept);
    }
    return affected.isEmpty() ? Set.of() : settleKeys(session, affected, byId, now);
  }

  private static BsonDocument kept(Settlement settlement, BsonDateTime now) {
    BsonDocument set = new BsonDocument(STATUS, new BsonString(settlement.status().name()));
    settlement.lastError().ifPresent(text -> set.append(LAST_ERROR, new BsonString(text)));
    BsonDocument update =
        new BsonDocument("$set", set)
            .append("$unset", new BsonDocument(SENT_BY, new BsonString("")));
    if (settlement.status() == MessageStatus.FAILED) {
      set.append(SETTLED_AT, now);
    }
    if (!settlement.countsAsAttempt()) {
      update.append("$inc", new BsonDocument(ATTEMPTS, new BsonInt32(-1)));
    }
    return update;
  }

  /** The first message that is left of a key decides; keys without one go and are answered. */
  private Set<OrderKey> settleKeys(
      ClientSession session,
      Set<BsonValue> affected,
      Map<BsonValue, Settlement> byId,
      BsonDateTime now) {
    Set<BsonValue> free = new HashSet<>(affected);
    List<UpdateOneModel<BsonDocument>> left = new ArrayList<>();
    for (BsonDocument row : keys.aggregate(session, firstOf(affected))) {
      BsonDocument first = row.getDocument(MESSAGE);
      BsonDocument set = new BsonDocument(PARKED, BsonBoolean.valueOf(isDead(first)));
      @Nullable Settlement settlement = byId.get(first.get(MessageDocument.ID));
      if (settlement != null) {
        set.append(DUE_AT, later(now, settlement));
      }
      BsonValue key = row.get(MessageDocument.ID);
      free.remove(key);
      left.add(
          new UpdateOneModel<>(
              new BsonDocument(MessageDocument.ID, key), new BsonDocument("$set", set)));
    }
    if (!left.isEmpty()) {
      keys.bulkWrite(session, left);
    }
    if (!free.isEmpty()) {
      keys.deleteMany(session, in(free));
    }
    Set<OrderKey> freed = new HashSet<>();
    free.forEach(key -> freed.add(orderKey(key.asDocument())));
    return freed;
  }

  List<BsonDocument> firstOf(Collection<BsonValue> affected) {
    BsonDocument first =
        new BsonDocument("from", new BsonString(held.getNamespace().getCollectionName()))
            .append("localField", new BsonString(MessageDocument.ID))
            .append("foreignField", new BsonString(KEY))
            .append(
                "pipeline",
                new BsonArray(
                    List.of(
                        stage("$sort", MessageDocument.ID, 1),
                        limit(1),
                        stage("$project", STATUS, 1))))
            .append("as", new BsonString(MESSAGE));
    return List.of(
        new BsonDocument("$match", in(affected)),
        new BsonDocument("$lookup", first),
        new BsonDocument("$unwind", new BsonString("$" + MESSAGE)));
  }

  private static BsonDocument stage(String name, String field, int value) {
    return new BsonDocument(name, new BsonDocument(field, new BsonInt32(value)));
  }

  private static BsonDocument limit(int limit) {
    return new BsonDocument("$limit", new BsonInt32(limit));
  }

  static BsonDocument key(int lane, OrderKey key) {
    return new BsonDocument(LANE, new BsonInt32(lane))
        .append("destination", new BsonString(key.destination()))
        .append("name", new BsonString(key.name()));
  }

  private static OrderKey orderKey(BsonDocument key) {
    return new OrderKey(
        MessageDocument.text(key, "destination"), MessageDocument.text(key, "name"));
  }

  private static BsonDateTime later(BsonDateTime now, Settlement settlement) {
    return new BsonDateTime(now.getValue() + settlement.delay().toMillis());
  }

  private static BsonDocument in(Collection<BsonValue> ids) {
    return new BsonDocument(
        MessageDocument.ID, new BsonDocument("$in", new BsonArray(List.copyOf(ids))));
  }

  private interface Work<R> {
    R in(ClientSession session);
  }

  private <R> R transact(String what, Work<R> work) {
    return Database.call(
        what, () -> transactions.<R, RuntimeException>call(session -> work.in(session)));
  }
}
