package io.postroad.mongodb.internal.admin;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.queue.Intake;
import io.postroad.mongodb.internal.queue.QueueForm;
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
import org.bson.BSONException;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonValue;
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
public final class DeadLetterBox {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterBox.class);
  private static final int AT_ONCE = 100;

  private final MongoTransactions transactions;
  private final MongoCollection<BsonDocument> outbox;
  private final MongoCollection<BsonDocument> box;
  private final MongoCollection<BsonDocument> latestOutbox;
  private final MongoCollection<BsonDocument> latestBox;
  private final boolean moves;
  private final QueueForm form;
  private final Intake intake;
  private final Comparator<BsonDocument> longestDeadFirst;

  public DeadLetterBox(Database database, QueueForm form, MongoTransactions transactions) {
    this.form = form;
    this.intake = new Intake(database, form);
    this.longestDeadFirst =
        Comparator.<BsonDocument, BsonDateTime>comparing(
                document -> document.getDateTime(form.names().times().diedAt()))
            .thenComparing(document -> form.id(document).toString());
    this.transactions = transactions;
    this.outbox = form.callersCollection(database).withReadConcern(ReadConcern.LOCAL);
    this.box = database.callersCollection(Names.DEAD).withReadConcern(ReadConcern.LOCAL);
    // A settle does not wait for a majority, so neither do readers of dead letters.
    this.latestOutbox = Database.latest(form.collection(database));
    this.latestBox = database.latest(Names.DEAD);
    this.moves = database.options().deadLetters() == MongoOptions.DeadLetters.MOVE;
  }

  /** Moves messages that were just settled as dead, if that is wanted. Never fails. */
  public void bring(Collection<UUID> dead) {
    if (!moves || dead.isEmpty()) {
      return;
    }
    try {
      move(List.copyOf(dead));
    } catch (PostroadException failed) {
      LOG.warn("mongodb: dead letters stay where they are for now; error={}", failed.getMessage());
    }
  }

  /** The same in the caller's transaction, and with its fate. */
  public void bring(ClientSession session, UUID dead) {
    if (moves) {
      boolean unused = move(session, Set.of(dead));
    }
  }

  /** Moves dead letters that were left behind, a bounded number. Never fails. */
  public void bringOthers(int limit) {
    if (!moves) {
      return;
    }
    try {
      List<UUID> left = new ArrayList<>();
      latestOutbox
          .find(form.dead())
          .sort(order())
          .limit(limit)
          .projection(form.idOnly())
          .forEach(document -> left.add(form.id(document)));
      move(left);
    } catch (MongoException | BSONException | PostroadException failed) {
      LOG.warn(
          "mongodb: dead letters that were left behind stay where they are; error={}",
          failed.getMessage());
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
      // Only without transactions: an operator has replayed it meanwhile.
      box.deleteMany(session, form.among(inOutbox(outbox.find(session, form.among(some)))));
    }
    return true;
  }

  /** Copies in the box of messages that are about to leave the outbox for good. */
  public void forgetCopies(Collection<UUID> ids) {
    if (moves) {
      latestBox.deleteMany(form.among(ids));
    }
  }

  private Set<UUID> inOutbox(FindIterable<BsonDocument> documents) {
    Set<UUID> there = new HashSet<>();
    documents.projection(form.idOnly()).forEach(document -> there.add(form.id(document)));
    return there;
  }

  private BsonDocument dead(Set<UUID> ids) {
    BsonDocument dead = form.among(ids);
    dead.putAll(form.isDead());
    return dead;
  }

  private BsonDocument order() {
    return DeadLetterQuery.order(form.names().times().diedAt(), MessageDocument.ID);
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

  /** So that those are found that died in the hands of others. Not in a transaction. */
  void takeIn() {
    intake.dead();
  }

  Found find(ClientSession session, Set<UUID> ids) {
    Set<UUID> elsewhere = new HashSet<>(ids);
    elsewhere.removeAll(inOutbox(outbox.find(session, form.among(ids))));
    return new Found(
        outbox.find(session, dead(ids)).into(new ArrayList<>()),
        elsewhere.isEmpty()
            ? List.of()
            : box.find(session, form.among(elsewhere)).into(new ArrayList<>()));
  }

  /** Looks into the outbox first: what is moved meanwhile is then seen twice, not missed. */
  List<BsonDocument> list(DeadLetterFilter filter, Optional<DeadLetter.Mark> after, int limit) {
    intake.dead();
    List<BsonDocument> kept = page(latestOutbox, form.dead(), filter, after, limit);
    intake.identify(kept);
    List<BsonDocument> moved = moved(filter, after, limit);
    if (moved.isEmpty()) {
      return kept;
    }
    Map<UUID, BsonDocument> found = new HashMap<>();
    kept.forEach(document -> found.put(form.id(document), document));
    moved.forEach(document -> found.putIfAbsent(form.id(document), document));
    return found.values().stream().sorted(longestDeadFirst).limit(limit).toList();
  }

  /** Those in the box that are not in the outbox. */
  private List<BsonDocument> moved(
      DeadLetterFilter filter, Optional<DeadLetter.Mark> after, int limit) {
    List<BsonDocument> moved = new ArrayList<>();
    Optional<DeadLetter.Mark> from = after;
    while (moved.size() < limit) {
      List<BsonDocument> page = page(latestBox, died(), filter, from, limit);
      Set<UUID> ids = new HashSet<>();
      page.forEach(document -> ids.add(form.id(document)));
      Set<UUID> copies = inOutbox(latestOutbox.find(form.among(ids)));
      page.stream().filter(document -> !copies.contains(form.id(document))).forEach(moved::add);
      if (page.size() < limit) {
        break;
      }
      from = Optional.of(form.letter(page.get(limit - 1)).mark());
    }
    return moved;
  }

  private List<BsonDocument> page(
      MongoCollection<BsonDocument> collection,
      BsonDocument all,
      DeadLetterFilter filter,
      Optional<DeadLetter.Mark> after,
      int limit) {
    BsonValue lastId = after.map(mark -> rawId(collection, mark.id())).orElse(BsonNull.VALUE);
    return collection
        .find(form.narrowed(all, filter, after, lastId))
        .sort(order())
        .limit(limit)
        .into(new ArrayList<>());
  }

  /** Of one that is gone, nothing is known but its time: those of that time come again. */
  private BsonValue rawId(MongoCollection<BsonDocument> collection, UUID id) {
    return form.rawId(id)
        .or(
            () ->
                Optional.ofNullable(
                        collection.find(form.among(Set.of(id))).projection(form.idOnly()).first())
                    .map(document -> document.get(MessageDocument.ID)))
        .orElseGet(BsonMinKey::new);
  }

  private BsonDocument died() {
    return new BsonDocument(
        form.names().times().diedAt(), new BsonDocument("$exists", BsonBoolean.TRUE));
  }
}
