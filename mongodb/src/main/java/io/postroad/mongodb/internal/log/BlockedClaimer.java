package io.postroad.mongodb.internal.log;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.internal.store.BlockedTurn;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.append.Unreadable;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.Snapshots;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneLease;
import io.postroad.spi.hint.Batches;
import io.postroad.store.MessageStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes blocked messages whose key is due, in order per key. */
public final class BlockedClaimer {
  private static final Logger LOG = LoggerFactory.getLogger(BlockedClaimer.class);

  private final Database database;
  private final Snapshots snapshots;
  private final MongoTransactions transactions;
  private final Fence fence;
  private final BlockedLines lines;
  private final MongoCollection<BsonDocument> held;
  private final MongoCollection<BsonDocument> keys;

  public BlockedClaimer(
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
    this.held = database.callersCollection(Names.HELD);
    this.keys = database.callersCollection(Names.HELD_KEY);
  }

  /** Takes due messages; writes nothing when there are none. */
  public List<Claim> take(LaneLease lease, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("take limit must be 1 or more, got " + limit);
    }
    String what = "take blocked messages of lane " + lease.lane();
    boolean anyDue =
        snapshots.read(
            what,
            session -> {
              fence.look(session, lease, "take blocked messages");
              BsonDocument due = BlockedLines.due(lease.lane(), database.time().now());
              return keys.find(session, due).first() != null;
            });
    return anyDue ? transactions.transact(what, session -> take(session, lease, limit)) : List.of();
  }

  private List<Claim> take(ClientSession session, LaneLease lease, int limit) {
    BsonDateTime now = fence.pass(session, lease, "take blocked messages");
    List<Ready> ready = new ArrayList<>();
    Set<BsonValue> begun = new HashSet<>();
    Set<BsonValue> ended = new HashSet<>();
    List<BsonDocument> stuck = new ArrayList<>();
    long bytes = 0;
    for (BsonDocument row : keys.aggregate(session, dueMessages(lease.lane(), now, limit))) {
      if (bytes >= Batches.MAX_BYTES) {
        break;
      }
      BsonDocument message = row.getDocument(BlockedLines.MESSAGE);
      BsonValue key = message.get(BlockedDocument.KEY);
      if (ended.contains(key)) {
        continue;
      }
      Optional<Claim> claim = claim(message);
      if (claim.isPresent()) {
        ready.add(new Ready(Objects.requireNonNull(message.get(MessageDocument.ID)), claim.get()));
        bytes += claim.get().message().payload().size();
      } else {
        ended.add(key);
        if (!begun.contains(key)) {
          stuck.add(message);
        }
      }
      begun.add(key);
    }
    List<Ready> taken = BlockedTurn.of(ready, message -> message.claim.expiredOwner().isPresent());
    if (!taken.isEmpty()) {
      BsonDocument attempt =
          new BsonDocument("$inc", new BsonDocument(BlockedDocument.ATTEMPTS, new BsonInt32(1)))
              .append(
                  "$set", new BsonDocument(BlockedDocument.SENT_BY, new BsonString(lease.node())));
      List<BsonValue> ids = taken.stream().map(Ready::id).toList();
      held.updateMany(session, new BsonDocument(MessageDocument.ID, Bson.in(ids)), attempt);
    }
    park(session, stuck, now);
    return taken.stream().map(Ready::claim).toList();
  }

  /** A message that can be taken, and the claim that a take makes of it. */
  private record Ready(BsonValue id, Claim claim) {}

  /** The keys that are due, the longest due first, each with its messages in order. */
  private List<BsonDocument> dueMessages(int lane, BsonValue now, int limit) {
    BsonDocument upTo = new BsonDocument("$limit", new BsonInt32(limit));
    return List.of(
        new BsonDocument("$match", BlockedLines.due(lane, now)),
        new BsonDocument("$sort", new BsonDocument(BlockedLines.DUE_AT, new BsonInt32(1))),
        upTo,
        lines.lookUp(limit),
        new BsonDocument("$unwind", new BsonString("$" + BlockedLines.MESSAGE)),
        upTo);
  }

  /** The next attempt; none when it is dead or cannot be read, which ends its key. */
  private static Optional<Claim> claim(BsonDocument message) {
    if (BlockedDocument.isDead(message)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Claim(
              LogDocument.read(message),
              LogIds.sequence(message),
              message.getNumber(BlockedDocument.ATTEMPTS).intValue() + 1,
              MessageDocument.instant(message, MessageDocument.CREATED_AT),
              MessageDocument.optional(message, BlockedDocument.SENT_BY)));
    } catch (IllegalArgumentException wrong) {
      return Optional.empty();
    }
  }

  /**
   * Makes first messages that cannot be sent dead letters; otherwise their keys would be due for
   * ever.
   */
  private void park(ClientSession session, List<BsonDocument> stuck, BsonDateTime now) {
    List<BsonValue> affected = new ArrayList<>();
    for (BsonDocument message : stuck) {
      affected.add(message.get(BlockedDocument.KEY));
      if (!BlockedDocument.isDead(message)) {
        Unreadable unreadable = Unreadable.of(LogIds.sequence(message), message);
        BsonDocument dead =
            new BsonDocument(BlockedDocument.STATUS, BlockedDocument.status(MessageStatus.FAILED))
                .append(BlockedDocument.LAST_ERROR, new BsonString(unreadable.error()))
                .append(BlockedDocument.SETTLED_AT, now);
        held.updateOne(
            session,
            new BsonDocument(MessageDocument.ID, message.get(MessageDocument.ID)),
            new BsonDocument("$set", dead));
        LOG.error(
            "mongodb: a blocked message is a dead letter; correct its document and replay it, or"
                + " discard it; id={} error={}",
            BlockedDocument.messageId(message),
            unreadable.error());
      }
    }
    lines.decide(session, affected, (key, first) -> Optional.empty());
  }
}
