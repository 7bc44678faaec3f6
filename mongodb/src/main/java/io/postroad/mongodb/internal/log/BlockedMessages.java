package io.postroad.mongodb.internal.log;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.mongodb.internal.client.Snapshots;
import io.postroad.mongodb.internal.queue.DestinationIndex;
import io.postroad.spi.BlockedMessageStore;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneLease;
import io.postroad.spi.Settlement;
import io.postroad.store.BlockedDestination;
import io.postroad.store.OrderKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** The messages of blocked keys: a lane has passed them without delivering them. */
public final class BlockedMessages implements BlockedMessageStore {
  private static final DestinationIndex INDEX = DestinationIndex.OF_KEYS;

  private final Database database;
  private final Snapshots snapshots;
  private final MongoTransactions transactions;
  private final Fence fence;
  private final BlockedLines lines;
  private final BlockedClaimer taker;
  private final BlockedSettler settler;
  private final LaneDecisions decisions;
  private final MongoCollection<BsonDocument> keys;

  public BlockedMessages(
      Database database,
      Snapshots snapshots,
      MongoTransactions transactions,
      Fence fence,
      BlockedLines lines) {
    this.database = database;
    this.snapshots = snapshots;
    this.transactions = transactions;
    this.fence = fence;
    this.lines = lines;
    this.taker = new BlockedClaimer(database, snapshots, transactions, fence, lines);
    this.settler = new BlockedSettler(database, transactions, fence, lines);
    this.decisions = new LaneDecisions(database);
    this.keys = database.callersCollection(Names.HELD_KEY);
  }

  @Override
  public Set<OrderKey> keys(LaneLease lease) {
    return lines.of(lease);
  }

  @Override
  public boolean isBlocked(OrderKey key) {
    return lines.has(key.lane(database.options().lanes()), key);
  }

  @Override
  public List<Claim> take(LaneLease lease, int limit) {
    return taker.take(lease, limit);
  }

  @Override
  public Set<OrderKey> settle(LaneLease lease, Collection<Settlement> settlements) {
    return settler.settle(lease, settlements);
  }

  @Override
  public long decisions(LaneLease lease) {
    return decisions.count(lease);
  }

  @Override
  public Set<String> destinations(LaneLease lease) {
    return snapshots.read(
        "look for destinations that lane " + lease.lane() + " waits for",
        session -> {
          fence.look(session, lease, "read the blocked destinations");
          return destinations(session, lease.lane()).keySet();
        });
  }

  private SortedMap<String, Instant> destinations(ClientSession session, int lane) {
    return INDEX.destinations(which -> keys.find(session, which), inLane(lane));
  }

  @Override
  public Set<OrderKey> open(LaneLease lease, String destination, int limit) {
    BlockedDestination.checkLimit(limit);
    return transactions.transact(
        "open destination %s in lane %d".formatted(destination, lease.lane()),
        session -> open(session, lease, destination, limit));
  }

  private Set<OrderKey> open(
      ClientSession session, LaneLease lease, String destination, int limit) {
    BsonDateTime now = fence.pass(session, lease, "open a destination");
    List<BsonValue> ids = new ArrayList<>();
    Set<OrderKey> opened = new HashSet<>();
    INDEX
        .longestFirst(which -> keys.find(session, which), inLane(lease.lane()), destination)
        .limit(limit)
        .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
        .forEach(
            key -> {
              ids.add(key.get(MessageDocument.ID));
              opened.add(BlockedLines.orderKey(key));
            });
    if (!ids.isEmpty()) {
      keys.updateMany(
          session,
          new BsonDocument(MessageDocument.ID, Bson.in(ids)),
          new BsonDocument("$set", BlockedLines.dueAt(now))
              .append("$unset", new BsonDocument(BlockedLines.ASIDE_AT, BsonBoolean.TRUE)));
    }
    return opened;
  }

  public List<BlockedDestination> blocked() {
    Instant now = database.time().ask();
    return snapshots.read(
        "count messages of blocked destinations", session -> blocked(session, now));
  }

  private List<BlockedDestination> blocked(ClientSession session, Instant now) {
    SortedMap<String, Instant> oldest = new TreeMap<>();
    for (int lane = 0; lane < database.options().lanes(); lane++) {
      destinations(session, lane)
          .forEach(
              (destination, since) ->
                  oldest.merge(destination, since, (a, b) -> a.isBefore(b) ? a : b));
    }
    BsonDocument allLanes =
        new BsonDocument(BlockedLines.LANE, new BsonDocument("$gte", new BsonInt32(0)));
    List<BlockedDestination> waiting = new ArrayList<>();
    oldest.forEach(
        (destination, since) ->
            waiting.add(
                new BlockedDestination(
                    destination,
                    lines.countMessages(
                        session, INDEX.waiting(allLanes, destination), INDEX.name()),
                    ServerTime.waited(since, now))));
    return waiting;
  }

  private static BsonDocument inLane(int lane) {
    return new BsonDocument(BlockedLines.LANE, new BsonInt32(lane));
  }
}
