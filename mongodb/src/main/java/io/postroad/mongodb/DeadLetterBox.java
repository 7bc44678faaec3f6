package io.postroad.mongodb;

import com.mongodb.ReadConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import io.postroad.message.PostroadException;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where dead letters of the queue are kept: in the outbox, or moved from there into the box. Both
 * are looked at, whatever is wanted now.
 *
 * <p>Without transactions they are copied first and removed then: after a crash in between they are
 * in both places, or still where they were, and {@link #bringOthers} takes them along later.
 * <b>What is in the outbox counts, and its copy in the box does not.</b>
 */
final class DeadLetterBox {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterBox.class);
  private static final int AT_ONCE = 100;
  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));
  private static final Comparator<BsonDocument> LONGEST_DEAD_FIRST =
      Comparator.<BsonDocument, BsonDateTime>comparing(
              document -> document.getDateTime(QueueDocument.SETTLED_AT))
          .thenComparing(document -> MessageDocument.id(document).toString());

  private final MongoTransactions transactions;
  private final MongoCollection<BsonDocument> outbox;
  private final MongoCollection<BsonDocument> box;
  private final MongoCollection<BsonDocument> latestOutbox;
  private final MongoCollection<BsonDocument> latestBox;
  private final boolean moves;

  DeadLetterBox(Database database, MongoTransactions transactions) {
    this.transactions = transactions;
    this.outbox = database.callersCollection(Names.OUTBOX).withReadConcern(ReadConcern.LOCAL);
    this.box = database.callersCollection(Names.DEAD).withReadConcern(ReadConcern.LOCAL);
    // A settle does not wait for a majority, so neither do those who look at the dead.
    this.latestOutbox = database.latest(Names.OUTBOX);
    this.latestBox = database.latest(Names.DEAD);
    this.moves = database.options().deadLetters() == MongoOptions.DeadLetters.MOVE;
  }

  /** Moves messages that were just settled as dead, if that is wanted. Never fails. */
  void bring(Collection<UUID> dead) {
    if (!moves || dead.isEmpty()) {
      return;
    }
    try {
      move(List.copyOf(dead));
    } catch (PostroadException failed) {
      LOG.warn("mongodb: dead letters stay where they are for now; error={}", failed.getMessage());
    }
  }

  /** Moves dead letters that were left behind, a bounded number. */
  void bringOthers(int limit) {
    if (moves) {
      List<UUID> left = new ArrayList<>();
      latestOutbox
          .find(QueueDocument.settled(QueueDocument.DEAD))
          .sort(DeadLetterQuery.order(MessageDocument.ID))
          .limit(limit)
          .projection(ID_ONLY)
          .forEach(document -> left.add(MessageDocument.id(document)));
      move(left);
    }
  }

  private void move(List<UUID> dead) {
    for (int from = 0; from < dead.size(); from += AT_ONCE) {
      Set<UUID> some = Set.copyOf(dead.subList(from, Math.min(from + AT_ONCE, dead.size())));
      transactions.transact("move dead letters", session -> move(session, some));
    }
  }

  private boolean move(ClientSession session, Set<UUID> some) {
    List<ReplaceOneModel<BsonDocument>> copies = new ArrayList<>();
    outbox
        .find(session, dead(some))
        .forEach(
            document ->
                copies.add(
                    new ReplaceOneModel<>(
                        new BsonDocument(MessageDocument.ID, document.get(MessageDocument.ID)),
                        document,
                        new ReplaceOptions().upsert(true))));
    if (copies.isEmpty()) {
      return false;
    }
    box.bulkWrite(session, copies);
    if (outbox.deleteMany(session, dead(some)).getDeletedCount() < copies.size()) {
      // Only without transactions: someone has replayed it meanwhile.
      box.deleteMany(session, Bson.ids(inOutbox(outbox.find(session, Bson.ids(some)))));
    }
    return true;
  }

  /** Copies in the box of messages that are about to leave the outbox for good. */
  void forgetCopies(Collection<UUID> ids) {
    if (moves) {
      latestBox.deleteMany(Bson.ids(ids));
    }
  }

  private static Set<UUID> inOutbox(FindIterable<BsonDocument> documents) {
    Set<UUID> there = new HashSet<>();
    documents.projection(ID_ONLY).forEach(document -> there.add(MessageDocument.id(document)));
    return there;
  }

  static BsonDocument dead(Set<UUID> ids) {
    return Bson.ids(ids).append(QueueDocument.STATUS, new BsonString(QueueDocument.DEAD));
  }

  /**
   * Dead letters by where they are.
   *
   * @param kept in the outbox
   * @param moved in the box
   */
  record Found(List<BsonDocument> kept, List<BsonDocument> moved) {
    List<BsonDocument> all() {
      return Stream.concat(kept.stream(), moved.stream()).toList();
    }
  }

  Found find(ClientSession session, Set<UUID> ids) {
    Set<UUID> elsewhere = new HashSet<>(ids);
    elsewhere.removeAll(inOutbox(outbox.find(session, Bson.ids(ids))));
    return new Found(
        outbox.find(session, dead(ids)).into(new ArrayList<>()),
        elsewhere.isEmpty()
            ? List.of()
            : box.find(session, Bson.ids(elsewhere)).into(new ArrayList<>()));
  }

  /** Looks into the outbox first: what is moved meanwhile is then seen twice, not missed. */
  List<BsonDocument> list(DeadLetterFilter filter, Optional<DeadLetter.Mark> after, int limit) {
    Map<UUID, BsonDocument> found = new HashMap<>();
    page(latestOutbox, QueueDocument.settled(QueueDocument.DEAD), filter, after, limit)
        .forEach(document -> found.put(MessageDocument.id(document), document));
    moved(filter, after, limit)
        .forEach(document -> found.putIfAbsent(MessageDocument.id(document), document));
    return found.values().stream().sorted(LONGEST_DEAD_FIRST).limit(limit).toList();
  }

  /** Those in the box that are not in the outbox. */
  private List<BsonDocument> moved(
      DeadLetterFilter filter, Optional<DeadLetter.Mark> after, int limit) {
    List<BsonDocument> moved = new ArrayList<>();
    Optional<DeadLetter.Mark> from = after;
    while (moved.size() < limit) {
      List<BsonDocument> page = page(latestBox, died(), filter, from, limit);
      Set<UUID> ids = new HashSet<>();
      page.forEach(document -> ids.add(MessageDocument.id(document)));
      Set<UUID> copies = inOutbox(latestOutbox.find(Bson.ids(ids)));
      page.stream()
          .filter(document -> !copies.contains(MessageDocument.id(document)))
          .forEach(moved::add);
      if (page.size() < limit) {
        break;
      }
      from = Optional.of(DeadLetterDocument.queued(page.get(limit - 1)).mark());
    }
    return moved;
  }

  private static List<BsonDocument> page(
      MongoCollection<BsonDocument> collection,
      BsonDocument all,
      DeadLetterFilter filter,
      Optional<DeadLetter.Mark> after,
      int limit) {
    return collection
        .find(DeadLetterQuery.narrowed(all, filter, after, MessageDocument.ID))
        .sort(DeadLetterQuery.order(MessageDocument.ID))
        .limit(limit)
        .into(new ArrayList<>());
  }

  private static BsonDocument died() {
    return new BsonDocument(
        QueueDocument.SETTLED_AT, new BsonDocument("$exists", BsonBoolean.TRUE));
  }
}
