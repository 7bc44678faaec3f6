package io.postroad.mongodb.internal.log;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.Snapshots;
import io.postroad.mongodb.internal.queue.DestinationIndex;
import io.postroad.spi.LaneLease;
import io.postroad.spi.Settlement;
import io.postroad.store.Backlog;
import io.postroad.store.OrderKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The keys that have messages waiting, and when each is due. A key whose first message is a dead
 * letter is blocked by it; dead letters that block no key have no document here, and so cost
 * nothing when due keys are read.
 */
public final class BlockedLines {
  public static final String LANE = "lane";
  public static final String DUE_AT = "due_at";
  public static final String PARKED = "parked";
  public static final String DESTINATION = "_id.destination";

  /** Since when it waits for its destination; only while it is set aside. */
  static final String ASIDE_AT = DestinationIndex.ASIDE_AT;

  /** The document of the dead letter that parks the key, and when it died; only while parked. */
  public static final String PARKED_BY = "parked_by";

  public static final String PARKED_SINCE = "parked_since";
  public static final String MESSAGE = "message";

  private static final String COUNT = "n";

  private final Snapshots snapshots;
  private final Fence fence;
  private final MongoCollection<BsonDocument> keys;
  private final MongoCollection<BsonDocument> shown;
  private final String held;

  public BlockedLines(Database database, Snapshots snapshots, Fence fence) {
    this.snapshots = snapshots;
    this.fence = fence;
    this.keys = database.callersCollection(Names.HELD_KEY);
    this.shown = database.collection(Names.HELD_KEY);
    this.held = database.options().prefix() + Names.HELD;
  }

  /** Without those that are set aside, which it does not look at. */
  public Set<OrderKey> of(LaneLease lease) {
    return snapshots.read(
        "read the held keys of lane " + lease.lane(),
        session -> {
          fence.look(session, lease, "read the blocked keys");
          Set<OrderKey> found = new HashSet<>();
          BsonDocument waiting =
              inLane(lease.lane(), false)
                  .append(DUE_AT, new BsonDocument("$lt", DestinationIndex.DUE_AT));
          for (BsonDocument which : List.of(inLane(lease.lane(), true), waiting)) {
            keys.find(session, which)
                .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
                .forEach(key -> found.add(orderKey(key)));
          }
          return found;
        });
  }

  /** Whether messages of this key wait, for whatever reason. */
  public boolean has(int lane, OrderKey key) {
    BsonDocument which = new BsonDocument(MessageDocument.ID, BlockedDocument.key(lane, key));
    return Database.call(
        "look whether messages of a key to " + key.destination() + " are held",
        () ->
            shown
                    .find(which)
                    .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
                    .first()
                != null);
  }

  static OrderKey orderKey(BsonDocument key) {
    return BlockedDocument.orderKey(key.getDocument(MessageDocument.ID));
  }

  private static BsonDocument inLane(int lane, boolean parked) {
    return new BsonDocument(LANE, new BsonInt32(lane)).append(PARKED, BsonBoolean.valueOf(parked));
  }

  public static BsonDocument due(int lane, BsonValue now) {
    return inLane(lane, false).append("$expr", Bson.of("$lte", Bson.field(DUE_AT), now));
  }

  /** How a key waits after its first message was settled so. */
  static BsonDocument waitAfter(Settlement settlement, BsonDateTime now) {
    return settlement instanceof Settlement.Blocked
        ? dueAt(DestinationIndex.DUE_AT).append(ASIDE_AT, now)
        : dueAt(new BsonDateTime(now.getValue() + settlement.delay().toMillis()));
  }

  public static BsonDocument dueAt(BsonDateTime time) {
    return new BsonDocument(DUE_AT, time);
  }

  /**
   * Returns the key that this message blocks as its first; none when no message can wait for it.
   */
  static Optional<BsonDocument> startingWith(BsonDocument first, BsonDocument wait) {
    BsonDocument key = BlockedDocument.keyOf(first);
    boolean dead = BlockedDocument.isDead(first);
    if (dead && !BlockedDocument.isShared(key)) {
      return Optional.empty();
    }
    BsonDocument document =
        new BsonDocument(MessageDocument.ID, key)
            .append(LANE, new BsonInt32(BlockedDocument.lane(first)))
            .append(PARKED, BsonBoolean.valueOf(dead));
    document.putAll(wait);
    if (dead) {
      document.putAll(parkedBy(first));
    }
    return Optional.of(document);
  }

  private static BsonDocument parkedBy(BsonDocument dead) {
    return new BsonDocument(PARKED_BY, dead.get(MessageDocument.ID))
        .append(PARKED_SINCE, dead.get(BlockedDocument.SETTLED_AT, new BsonDateTime(0)));
  }

  /** Makes sure that these keys are there; what is known of them stays. */
  public void open(ClientSession session, Collection<BsonDocument> opened, BsonDateTime dueAt) {
    Map<BsonValue, BsonDocument> wanted = new LinkedHashMap<>();
    for (BsonDocument key : opened) {
      wanted.put(
          key,
          new BsonDocument(MessageDocument.ID, key)
              .append(LANE, key.getInt32(LANE))
              .append(PARKED, BsonBoolean.FALSE)
              .append(DUE_AT, dueAt));
    }
    insertNew(session, keys, wanted);
  }

  /** Those of these dead letters, by their documents' ids, that park their keys. */
  public Set<BsonValue> parking(ClientSession session, Collection<BsonDocument> letters) {
    Set<BsonValue> lines = new HashSet<>();
    letters.forEach(letter -> lines.add(letter.get(BlockedDocument.KEY)));
    Set<BsonValue> parking = new HashSet<>();
    if (!lines.isEmpty()) {
      keys.find(session, new BsonDocument(MessageDocument.ID, Bson.in(lines)))
          .projection(new BsonDocument(PARKED_BY, new BsonInt32(1)))
          .forEach(key -> parking.add(key.get(PARKED_BY, BsonNull.VALUE)));
    }
    return parking;
  }

  /**
   * The first message that is left of a key decides how the key stands: it parks it, it is due, or
   * it is set aside.
   *
   * @param wait from a key as it was and its first message; empty where it waits as it did
   * @return keys without a message, which are removed
   */
  public Set<OrderKey> decide(
      ClientSession session,
      Collection<? extends BsonValue> affected,
      BiFunction<BsonDocument, BsonDocument, Optional<BsonDocument>> wait) {
    if (affected.isEmpty()) {
      return Set.of();
    }
    Set<BsonValue> free = new HashSet<>(affected);
    List<UpdateOneModel<BsonDocument>> left = new ArrayList<>();
    for (BsonDocument key : keys.aggregate(session, firstOf(affected))) {
      BsonDocument first = key.getDocument(MESSAGE);
      BsonDocument id = key.getDocument(MessageDocument.ID);
      boolean dead = BlockedDocument.isDead(first);
      if (dead && !BlockedDocument.isShared(id)) {
        continue;
      }
      free.remove(id);
      BsonDocument set = new BsonDocument(PARKED, BsonBoolean.valueOf(dead));
      BsonDocument unset = new BsonDocument();
      Optional<BsonDocument> waits = wait.apply(key, first);
      waits.ifPresent(set::putAll);
      if (dead || (waits.isPresent() && !set.containsKey(ASIDE_AT))) {
        unset.append(ASIDE_AT, BsonBoolean.TRUE);
      }
      if (dead) {
        set.putAll(parkedBy(first));
      } else {
        unset.append(PARKED_BY, BsonBoolean.TRUE).append(PARKED_SINCE, BsonBoolean.TRUE);
      }
      left.add(
          new UpdateOneModel<>(
              new BsonDocument(MessageDocument.ID, id),
              new BsonDocument("$set", set).append("$unset", unset)));
    }
    if (!left.isEmpty()) {
      keys.bulkWrite(session, left);
    }
    if (!free.isEmpty()) {
      keys.deleteMany(session, new BsonDocument(MessageDocument.ID, Bson.in(free)));
    }
    Set<OrderKey> freed = new HashSet<>();
    free.forEach(key -> freed.add(BlockedDocument.orderKey(key.asDocument())));
    return freed;
  }

  List<BsonDocument> firstOf(Collection<? extends BsonValue> affected) {
    BsonDocument shown =
        new BsonDocument(BlockedDocument.STATUS, new BsonInt32(1))
            .append(BlockedDocument.SETTLED_AT, new BsonInt32(1));
    return List.of(
        new BsonDocument("$match", new BsonDocument(MessageDocument.ID, Bson.in(affected))),
        lookUp(1, new BsonDocument("$project", shown)),
        new BsonDocument("$unwind", new BsonString("$" + MESSAGE)));
  }

  /**
   * How many messages these keys have, counted up to the limit.
   *
   * @param index the name of the index that has these keys
   */
  public long countMessages(ClientSession session, BsonDocument which, String index) {
    BsonDocument idOnly =
        new BsonDocument("$project", new BsonDocument(MessageDocument.ID, new BsonInt32(1)));
    BsonDocument upTo = new BsonDocument("$limit", new BsonInt32(Backlog.COUNT_LIMIT));
    @Nullable BsonDocument counted =
        keys.aggregate(
                session,
                List.of(
                    new BsonDocument("$match", which),
                    upTo,
                    idOnly,
                    lookUp(Backlog.COUNT_LIMIT, idOnly),
                    new BsonDocument("$unwind", new BsonString("$" + MESSAGE)),
                    upTo,
                    new BsonDocument("$count", new BsonString(COUNT))))
            .hintString(index)
            .first();
    return counted == null ? 0 : counted.getNumber(COUNT).longValue();
  }

  /** Joins the messages of each key, in order. */
  public BsonDocument lookUp(int limit, BsonDocument... stages) {
    BsonArray pipeline =
        new BsonArray(
            List.of(
                new BsonDocument("$sort", new BsonDocument(MessageDocument.ID, new BsonInt32(1))),
                new BsonDocument("$limit", new BsonInt32(limit))));
    pipeline.addAll(List.of(stages));
    return new BsonDocument(
        "$lookup",
        new BsonDocument("from", new BsonString(held))
            .append("localField", new BsonString(MessageDocument.ID))
            .append("foreignField", new BsonString(BlockedDocument.KEY))
            .append("pipeline", pipeline)
            .append("as", new BsonString(MESSAGE)));
  }

  /**
   * Inserts what is not there; what is stays as it is.
   *
   * @return those that were inserted
   */
  static Map<BsonValue, BsonDocument> insertNew(
      ClientSession session,
      MongoCollection<BsonDocument> collection,
      Map<BsonValue, BsonDocument> documents) {
    if (documents.isEmpty()) {
      return documents;
    }
    Map<BsonValue, BsonDocument> fresh = new LinkedHashMap<>(documents);
    collection
        .find(session, new BsonDocument(MessageDocument.ID, Bson.in(documents.keySet())))
        .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
        .forEach(there -> fresh.remove(there.get(MessageDocument.ID)));
    if (!fresh.isEmpty()) {
      collection.insertMany(session, List.copyOf(fresh.values()));
    }
    return fresh;
  }
}
