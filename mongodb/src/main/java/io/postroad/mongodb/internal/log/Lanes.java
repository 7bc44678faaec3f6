package io.postroad.mongodb.internal.log;

import com.mongodb.ReadConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.internal.store.LaneOwnership;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.LaneStore;
import io.postroad.spi.Membership;
import io.postroad.spi.StoreFindings;
import io.postroad.store.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Decides which node owns which lane. Its writes are durable, because epochs must be. */
public final class Lanes implements LaneStore {
  static final String HEAD = "head";
  static final String GAPS = "gaps";
  static final String FLOOR = "floor";

  /** Up to here tombstones are purged, too; missing where none were. */
  static final String TOMBSTONE_FLOOR = "void_floor";

  static final String PROGRESS = "progress";
  static final String NODE = "node";
  static final String LEASE_UNTIL = "lease_until";

  private static final String EPOCH = "epoch";
  private static final String CRASHES = "crashes";
  private static final String HOLDS = "holds";
  private static final String SEEN_UNTIL = "seen_until";

  /** How many messages get new places at once. */
  private static final int MOVED = 50;

  private final Database database;
  private final MongoCollection<BsonDocument> lanes;
  private final MongoCollection<BsonDocument> nodes;
  private final MongoCollection<BsonDocument> counters;
  private final MongoCollection<BsonDocument> log;
  private final MongoCollection<BsonDocument> held;

  public Lanes(Database database) {
    this.database = database;
    this.lanes = database.collection(Names.LANE);
    this.nodes = database.collection(Names.NODE);
    this.counters = database.collection(Names.COUNTER);
    this.log = database.collection(Names.LOG);
    this.held = database.collection(Names.HELD);
  }

  @Override
  public int count() {
    return database.options().lanes();
  }

  /** Returns how many lanes the schema was set up with. */
  public int storedCount() {
    return Database.call("count the lanes", () -> (int) lanes.countDocuments());
  }

  @Override
  public Membership heartbeat(String node, Duration seenFor) {
    return Database.call(
        "send the heartbeat of node " + node,
        () -> {
          nodes.updateOne(
              byId(new BsonString(node)),
              List.of(set(SEEN_UNTIL, database.time().plus(seenFor))),
              new UpdateOptions().upsert(true));
          List<String> seen = new ArrayList<>();
          nodes
              .find(expr("$gt", SEEN_UNTIL))
              .sort(ascending(MessageDocument.ID))
              .forEach(document -> seen.add(MessageDocument.text(document, MessageDocument.ID)));
          List<Membership.LaneOwner> owners = new ArrayList<>();
          owners().forEach(document -> owners.add(owner(document)));
          return new Membership(seen, owners);
        });
  }

  /** Finds lanes without an owner. */
  public List<Finding> examine() {
    return Database.call(
        "look for lanes without an owner",
        () -> {
          List<Finding> findings = new ArrayList<>();
          owners()
              .forEach(
                  lane -> {
                    if (owner(lane).owner().isEmpty()) {
                      findings.add(
                          StoreFindings.laneWithoutOwner(
                              lane.getInt32(MessageDocument.ID).getValue(),
                              MessageDocument.optional(lane, NODE)));
                    }
                  });
          return findings;
        });
  }

  private FindIterable<BsonDocument> owners() {
    return lanes
        .find()
        .projection(new BsonDocument(NODE, one()).append(HOLDS, after(LEASE_UNTIL)))
        .sort(ascending(MessageDocument.ID));
  }

  private static Membership.LaneOwner owner(BsonDocument lane) {
    Optional<String> owner =
        MessageDocument.optional(lane, NODE).filter(node -> lane.getBoolean(HOLDS).getValue());
    return new Membership.LaneOwner(lane.getInt32(MessageDocument.ID).getValue(), owner);
  }

  @Override
  public void leave(String node) {
    var unused =
        Database.call("leave as node " + node, () -> nodes.deleteOne(byId(new BsonString(node))));
  }

  /** Removes nodes without a heartbeat for a day. */
  void forgetNodes() {
    BsonDocument longAgo =
        new BsonDocument(
            "$expr", operator("$lt", new BsonString("$" + SEEN_UNTIL), time(Duration.ofDays(-1))));
    var unused = Database.call("forget nodes", () -> nodes.deleteMany(longAgo));
  }

  @Override
  public Optional<LaneLease> take(int lane, String node, Duration leaseFor) {
    if (lane < 0 || lane >= database.options().lanes()) {
      throw new IllegalArgumentException("there is no lane " + lane);
    }
    return Database.call(
        "take lane " + lane,
        () -> {
          while (true) {
            BsonDocument found =
                Objects.requireNonNull(
                    lanes
                        .withReadConcern(ReadConcern.LOCAL)
                        .find(byId(new BsonInt32(lane)))
                        .projection(shownToTake())
                        .first(),
                    "a document per lane");
            LaneOwnership before = ownership(found);
            if (!before.isFreeFor(node)) {
              return Optional.empty();
            }
            LaneOwnership taken = before.takenBy(node);
            @Nullable BsonDocument written =
                lanes.findOneAndUpdate(
                    unchanged(lane, found),
                    List.of(new BsonDocument("$set", fields(taken, leaseFor))),
                    new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER));
            if (written != null) {
              Start start = start(lane, node, written);
              return Optional.of(before.lease(lane, taken, start.position, start.rescan));
            }
          }
        });
  }

  private BsonDocument shownToTake() {
    return new BsonDocument(NODE, one())
        .append(EPOCH, one())
        .append(LEASE_UNTIL, one())
        .append(CRASHES, one())
        .append(PROGRESS, one())
        .append(HOLDS, after(LEASE_UNTIL));
  }

  private static LaneOwnership ownership(BsonDocument lane) {
    return new LaneOwnership(
        MessageDocument.optional(lane, NODE).orElse(null),
        lane.getBoolean(HOLDS).getValue(),
        lane.getNumber(EPOCH).longValue(),
        lane.getNumber(CRASHES).intValue(),
        lane.getBoolean(PROGRESS, BsonBoolean.FALSE).getValue());
  }

  /** Matches the document only while no other node has taken, renewed, advanced or released it. */
  private static BsonDocument unchanged(int lane, BsonDocument found) {
    BsonDocument same = byId(new BsonInt32(lane));
    for (String field : List.of(NODE, EPOCH, LEASE_UNTIL, PROGRESS)) {
      same.append(field, found.get(field, BsonNull.VALUE));
    }
    return same;
  }

  private BsonDocument fields(LaneOwnership taken, Duration leaseFor) {
    return new BsonDocument(NODE, literal(new BsonString(Objects.requireNonNull(taken.node()))))
        .append(EPOCH, new BsonInt64(taken.epoch()))
        .append(LEASE_UNTIL, time(leaseFor))
        .append(CRASHES, new BsonInt32(taken.crashes()))
        .append(PROGRESS, BsonBoolean.FALSE);
  }

  /** Where a new owner begins, and why that is not where the last one ended. */
  private record Start(LogPosition position, Optional<String> rescan) {}

  /**
   * Position, log and counter go together. Only collections that were restored from different
   * moments do not: then places would be given again that the position says are settled.
   */
  private Start start(int lane, String node, BsonDocument taken) {
    LogPosition last = LogPosition.of(taken);
    long purged = taken.getNumber(FLOOR).longValue();
    long newest = Math.max(newest(log, lane), newest(held, lane));
    long drawn = drawn(lane);
    if (drawn >= Math.max(newest, last.head())) {
      return new Start(last, moved(lane, purged));
    }
    Start start = new Start(last, Optional.empty());
    if (drawn < last.head()) {
      LogPosition floor = LogPosition.upTo(purged);
      goBack(lane, node, taken, floor);
      start =
          new Start(
              floor,
              Optional.of(
                  "the counter of lane %d was at %d, behind place %d that was read; it was raised,"
                          .formatted(lane, drawn, last.head())
                      + " and all that is still stored of the lane is read again"));
    }
    raise(lane, Math.max(newest, last.head()));
    Optional<String> moved = moved(lane, purged);
    return new Start(start.position, start.rescan.or(() -> moved));
  }

  /**
   * Gives new places to messages whose place was given out before. All up to the floor was read and
   * removed, so what is there came later, from a counter that had gone back. A crash in between
   * leaves a message twice.
   */
  private Optional<String> moved(int lane, long floor) {
    int moved = 0;
    while (true) {
      List<BsonDocument> again =
          log.find(messagesUpTo(lane, floor))
              .sort(ascending(MessageDocument.ID))
              .limit(MOVED)
              .into(new ArrayList<>());
      if (again.isEmpty()) {
        return moved == 0
            ? Optional.empty()
            : Optional.of(
                "the counter of lane %d went back, and gave out places up to %d again; %d message(s) that had them were moved to the end"
                    .formatted(lane, floor, moved));
      }
      long sequence = draw(lane, again.size());
      BsonArray before = new BsonArray();
      for (BsonDocument message : again) {
        before.add(message.get(MessageDocument.ID));
        message.put(MessageDocument.ID, LogIds.id(lane, sequence++));
      }
      log.insertMany(again);
      log.deleteMany(new BsonDocument(MessageDocument.ID, Bson.in(before)));
      moved += again.size();
    }
  }

  private boolean isGivenTwice(int lane, long floor) {
    return log.find(messagesUpTo(lane, floor))
            .projection(new BsonDocument(MessageDocument.ID, one()))
            .limit(1)
            .first()
        != null;
  }

  /**
   * Matches messages only: tombstones stay below the floor for a day, as a purge has passed them.
   */
  private static BsonDocument messagesUpTo(int lane, long floor) {
    return LogIds.between(lane, 1, floor).append(LogDocument.TOMBSTONE, BsonNull.VALUE);
  }

  private long draw(int lane, int count) {
    @Nullable BsonDocument counter =
        counters.findOneAndUpdate(
            byId(SequenceNumbers.counter(lane)),
            new BsonDocument("$inc", new BsonDocument("seq", new BsonInt64(count))),
            new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER));
    return Objects.requireNonNull(counter).getNumber("seq").longValue() - count + 1;
  }

  private static long newest(MongoCollection<BsonDocument> collection, int lane) {
    @Nullable BsonDocument newest =
        collection
            .find(LogIds.unread(lane, LogPosition.START))
            .projection(new BsonDocument(MessageDocument.ID, one()))
            .sort(new BsonDocument(MessageDocument.ID, new BsonInt32(-1)))
            .limit(1)
            .first();
    return newest == null ? 0 : LogIds.sequence(newest);
  }

  private long drawn(int lane) {
    @Nullable BsonDocument counter = counters.find(byId(SequenceNumbers.counter(lane))).first();
    return counter == null ? 0 : counter.getNumber("seq").longValue();
  }

  private void goBack(int lane, String node, BsonDocument taken, LogPosition floor) {
    lanes.updateOne(
        byId(new BsonInt32(lane))
            .append(NODE, new BsonString(node))
            .append(EPOCH, taken.get(EPOCH)),
        new BsonDocument(
            "$set", new BsonDocument(HEAD, floor.headValue()).append(GAPS, floor.gapsValue())));
  }

  private void raise(int lane, long sequence) {
    counters.updateOne(
        byId(SequenceNumbers.counter(lane)),
        new BsonDocument("$max", new BsonDocument("seq", new BsonInt64(sequence))),
        new UpdateOptions().upsert(true));
  }

  @Override
  public void renew(LaneLease lease, Duration leaseFor) {
    boolean renewed =
        Database.call(
            "renew the lease of lane " + lease.lane(),
            () -> {
              @Nullable BsonDocument lane =
                  lanes.findOneAndUpdate(
                      Fence.of(lease),
                      List.of(set(LEASE_UNTIL, time(leaseFor))),
                      new FindOneAndUpdateOptions()
                          .projection(new BsonDocument(FLOOR, one()))
                          .returnDocument(ReturnDocument.AFTER));
              // The next take of the lane moves what has places that were given out twice.
              return lane != null && !isGivenTwice(lease.lane(), lane.getNumber(FLOOR).longValue());
            });
    if (!renewed) {
      throw new LaneLostException(lease, "renew its lease");
    }
  }

  @Override
  public void release(LaneLease lease) {
    BsonDocument free =
        new BsonDocument(NODE, BsonNull.VALUE)
            .append(LEASE_UNTIL, BsonNull.VALUE)
            .append(CRASHES, new BsonInt32(0));
    var unused =
        Database.call(
            "release lane " + lease.lane(),
            () -> lanes.updateOne(Fence.of(lease), new BsonDocument("$set", free)));
  }

  /** The documents of all lanes, as one moment has them. */
  public List<BsonDocument> all(ClientSession session) {
    return database
        .callersCollection(Names.LANE)
        .find(session)
        .projection(
            new BsonDocument(HEAD, one())
                .append(GAPS, one())
                .append(FLOOR, one())
                .append(TOMBSTONE_FLOOR, one())
                .append(HOLDS, after(LEASE_UNTIL)))
        .sort(ascending(MessageDocument.ID))
        .into(new ArrayList<>());
  }

  private BsonValue time(Duration later) {
    return database.time().plus(later);
  }

  private BsonDocument after(String field) {
    return operator("$gt", new BsonString("$" + field), database.time().now());
  }

  private BsonDocument expr(String operator, String field) {
    return new BsonDocument(
        "$expr", operator(operator, new BsonString("$" + field), database.time().now()));
  }

  private static BsonDocument byId(BsonValue id) {
    return new BsonDocument(MessageDocument.ID, id);
  }

  private static BsonDocument set(String field, BsonValue value) {
    return new BsonDocument("$set", new BsonDocument(field, value));
  }

  private static BsonDocument ascending(String field) {
    return new BsonDocument(field, one());
  }

  private static BsonInt32 one() {
    return new BsonInt32(1);
  }

  private static BsonDocument literal(BsonValue value) {
    return new BsonDocument("$literal", value);
  }

  private static BsonDocument operator(String name, BsonValue... arguments) {
    return new BsonDocument(name, new BsonArray(List.of(arguments)));
  }
}
