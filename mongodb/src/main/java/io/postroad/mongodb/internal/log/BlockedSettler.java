package io.postroad.mongodb.internal.log;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneLease;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Stores the results of blocked messages that were taken. */
public final class BlockedSettler {
  private final MongoTransactions transactions;
  private final Fence fence;
  private final BlockedLines lines;
  private final MongoCollection<BsonDocument> held;

  public BlockedSettler(
      Database database, MongoTransactions transactions, Fence fence, BlockedLines lines) {
    this.transactions = transactions;
    this.fence = fence;
    this.lines = lines;
    this.held = database.callersCollection(Names.HELD);
  }

  public Set<OrderKey> settle(LaneLease lease, Collection<Settlement> settlements) {
    String what = "settle blocked messages of lane " + lease.lane();
    return transactions.transact(what, session -> settle(session, lease, settlements));
  }

  private Set<OrderKey> settle(
      ClientSession session, LaneLease lease, Collection<Settlement> settlements) {
    BsonDateTime now = fence.pass(session, lease, "settle blocked messages");
    Map<BsonValue, Settlement> byId = new HashMap<>();
    Set<BsonValue> affected = new HashSet<>();
    for (Settlement settlement : settlements) {
      Claim claim = settlement.claim();
      byId.put(LogIds.id(lease.lane(), claim.token()), settlement);
      affected.add(BlockedDocument.key(lease.lane(), OrderKey.of(claim.message())));
    }
    Map<BsonValue, Settlement> holding = holding(session, byId, affected);
    List<BsonValue> delivered = new ArrayList<>();
    List<UpdateOneModel<BsonDocument>> kept = new ArrayList<>();
    holding.forEach(
        (id, settlement) -> {
          if (settlement.status() == MessageStatus.DISPATCHED) {
            delivered.add(id);
          } else {
            kept.add(
                new UpdateOneModel<>(
                    new BsonDocument(MessageDocument.ID, id), kept(lease.lane(), settlement, now)));
          }
        });
    if (!delivered.isEmpty()) {
      held.deleteMany(session, new BsonDocument(MessageDocument.ID, Bson.in(delivered)));
    }
    if (!kept.isEmpty()) {
      held.bulkWrite(session, kept);
    }
    return lines.decide(
        session,
        affected,
        (key, first) ->
            Optional.ofNullable(holding.get(first.get(MessageDocument.ID)))
                .map(settlement -> BlockedLines.waitAfter(settlement, now)));
  }

  /** Selects messages whose attempt is open: not settled, and not replayed since. */
  private Map<BsonValue, Settlement> holding(
      ClientSession session, Map<BsonValue, Settlement> byId, Set<BsonValue> affected) {
    Map<BsonValue, Settlement> holding = new HashMap<>();
    if (byId.isEmpty()) {
      return holding;
    }
    BsonDocument shown =
        new BsonDocument(BlockedDocument.KEY, new BsonInt32(1))
            .append(BlockedDocument.ATTEMPTS, new BsonInt32(1))
            .append(BlockedDocument.SENT_BY, new BsonInt32(1));
    held.find(session, new BsonDocument(MessageDocument.ID, Bson.in(byId.keySet())))
        .projection(shown)
        .forEach(
            message -> {
              BsonValue id = message.get(MessageDocument.ID);
              @Nullable Settlement settlement = byId.get(id);
              int attempt = message.getNumber(BlockedDocument.ATTEMPTS).intValue();
              if (settlement != null
                  && settlement.claim().attempt() == attempt
                  && message.isString(BlockedDocument.SENT_BY)) {
                holding.put(id, settlement);
                affected.add(message.get(BlockedDocument.KEY));
              }
            });
    return holding;
  }

  private static BsonDocument kept(int lane, Settlement settlement, BsonDateTime now) {
    BsonDocument set =
        new BsonDocument(BlockedDocument.STATUS, BlockedDocument.status(settlement.status()));
    settlement
        .lastError()
        .ifPresent(text -> set.append(BlockedDocument.LAST_ERROR, new BsonString(text)));
    BsonDocument update =
        new BsonDocument("$set", set)
            .append("$unset", new BsonDocument(BlockedDocument.SENT_BY, new BsonString("")));
    if (settlement.status() == MessageStatus.FAILED) {
      set.append(BlockedDocument.SETTLED_AT, now);
    }
    if (BlockedDocument.blocksNoKey(settlement)) {
      set.append(BlockedDocument.KEY, BlockedDocument.line(lane, settlement));
    }
    if (!settlement.countsAsAttempt()) {
      update.append("$inc", new BsonDocument(BlockedDocument.ATTEMPTS, new BsonInt32(-1)));
    }
    return update;
  }
}
