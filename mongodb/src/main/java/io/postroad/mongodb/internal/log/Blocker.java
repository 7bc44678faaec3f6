package io.postroad.mongodb.internal.log;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.append.Unreadable;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.LaneLease;
import io.postroad.spi.Settlement;
import io.postroad.spi.hint.Batches;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Blocks messages: moves them out of the log of their lane. */
public final class Blocker {
  private static final Logger LOG = LoggerFactory.getLogger(Blocker.class);

  private final MongoTransactions transactions;
  private final Fence fence;
  private final MongoCollection<BsonDocument> held;
  private final MongoCollection<BsonDocument> keys;

  public Blocker(Database database, MongoTransactions transactions, Fence fence) {
    this.transactions = transactions;
    this.fence = fence;
    this.held = database.callersCollection(Names.HELD);
    this.keys = database.callersCollection(Names.HELD_KEY);
  }

  /**
   * Holds messages back and writes the lane's position: in one transaction, or where that would be
   * too large in several, in the order of their places and the position in the last. A crash
   * between two of them leaves messages held that the next owner reads again and holds again, which
   * changes nothing.
   */
  public void hold(LaneLease lease, LogPosition upTo, List<Settlement> settlements) {
    List<Settlement> inOrder =
        settlements.stream()
            .sorted(Comparator.comparingLong(settlement -> settlement.claim().token()))
            .toList();
    Batches.write(
        inOrder,
        settlement -> settlement.claim().message().payload().size(),
        MongoErrors::isTooLarge,
        (part, last) -> hold(lease, part, last ? upTo.fields() : new BsonDocument()));
  }

  private void hold(LaneLease lease, List<Settlement> inOrder, BsonDocument position) {
    transactions.transact(
        "block messages of lane " + lease.lane(),
        session ->
            hold(
                session,
                lease.lane(),
                inOrder,
                fence.pass(session, lease, "block messages", position)));
  }

  private boolean hold(
      ClientSession session, int lane, List<Settlement> inOrder, BsonDateTime now) {
    Map<BsonValue, BsonDocument> messages = new LinkedHashMap<>();
    for (Settlement settlement : inOrder) {
      BsonDocument message = BlockedDocument.heldBack(lane, settlement, now);
      messages.put(message.get(MessageDocument.ID), message);
    }
    // One that was there already may stand in another line by now, and opens none.
    Map<BsonValue, BsonDocument> fresh = BlockedLines.insertNew(session, held, messages);
    Map<BsonValue, BsonDocument> firsts = new LinkedHashMap<>();
    for (Settlement settlement : inOrder) {
      @Nullable BsonDocument message = fresh.get(LogIds.id(lane, settlement.claim().token()));
      if (message != null) {
        BlockedLines.startingWith(message, BlockedLines.waitAfter(settlement, now))
            .ifPresent(key -> firsts.putIfAbsent(key.get(MessageDocument.ID), key));
      }
    }
    BlockedLines.insertNew(session, keys, firsts);
    return true;
  }

  /**
   * Makes documents of the log that are no messages dead letters that block no key, so that the
   * lane can pass them. Doing it again changes nothing.
   */
  void bury(LaneLease lease, List<Unreadable> documents) {
    if (documents.isEmpty()) {
      return;
    }
    Batches.write(
        documents,
        Unreadable::bytes,
        MongoErrors::isTooLarge,
        (part, last) -> buryPart(lease, part));
    documents.forEach(
        each ->
            LOG.error(
                "mongodb: a message is a dead letter; lane={} sequence={} error={}",
                lease.lane(),
                each.sequence(),
                each.error()));
  }

  private void buryPart(LaneLease lease, List<Unreadable> documents) {
    transactions.transact(
        "settle unreadable documents",
        session -> {
          BsonDateTime now = fence.pass(session, lease, "settle unreadable documents");
          Map<BsonValue, BsonDocument> messages = new LinkedHashMap<>();
          for (Unreadable unreadable : documents) {
            BsonDocument message = BlockedDocument.buried(lease.lane(), unreadable, now);
            messages.put(message.get(MessageDocument.ID), message);
          }
          return BlockedLines.insertNew(session, held, messages);
        });
  }
}
