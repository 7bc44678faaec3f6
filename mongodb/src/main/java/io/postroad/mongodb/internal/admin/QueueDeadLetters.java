package io.postroad.mongodb.internal.admin;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.mongodb.internal.queue.QueueForm;
import io.postroad.mongodb.internal.queue.QueueInsert;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.Batches;
import io.postroad.store.AuditEntry;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of the queue, wherever they are kept.
 *
 * <p>Without transactions each verb is single writes in an order that the same call completes: the
 * audit first, because what is not written down before it is done never would be; then the outbox
 * gets what it shall have; then what is no longer needed goes. So a crash leaves an entry of the
 * audit for something that was not done, and the same call writes a second one.
 */
public final class QueueDeadLetters implements DeadLetterStore {
  private static final String BYTES = "bytes";

  private final MongoTransactions transactions;
  private final DeadLetterBox dead;
  private final AuditTrail audit;
  private final WakeUps wakeUps;
  private final ServerTime time;
  private final MongoCollection<BsonDocument> outbox;
  private final MongoCollection<BsonDocument> box;
  private final QueueForm form;

  public QueueDeadLetters(
      Database database,
      QueueForm form,
      MongoTransactions transactions,
      DeadLetterBox dead,
      AuditTrail audit,
      WakeUps wakeUps) {
    this.form = form;
    this.transactions = transactions;
    this.dead = dead;
    this.audit = audit;
    this.wakeUps = wakeUps;
    this.time = database.time();
    this.outbox = form.callersCollection(database).withReadConcern(ReadConcern.LOCAL);
    this.box = database.callersCollection(Names.DEAD).withReadConcern(ReadConcern.LOCAL);
  }

  @Override
  public List<DeadLetter> list(
      DeadLetterFilter filter, Optional<DeadLetter.Mark> after, int limit) {
    DeadLetterStore.checkLimit(limit);
    return Database.call(
        "list dead letters",
        () -> dead.list(filter, after, limit).stream().map(form::letter).toList());
  }

  @Override
  public Optional<DeadLetter> find(UUID id) {
    takeIn();
    return transactions.transact(
        "find dead letter " + id,
        session -> dead.find(session, Set.of(id)).all().stream().map(form::letter).findFirst());
  }

  @Override
  public Set<UUID> replay(Collection<UUID> ids, Decision decision) {
    Set<UUID> replayed = decide("replay", ids, (session, some) -> replay(session, some, decision));
    if (!replayed.isEmpty()) {
      wakeUps.signal();
    }
    return replayed;
  }

  private Set<UUID> replay(ClientSession session, Set<UUID> wanted, Decision decision) {
    DeadLetterBox.Found found = dead.find(session, wanted);
    BsonDateTime now = now();
    write(session, now, "replay", decision, found);
    if (!found.kept().isEmpty()) {
      outbox.updateMany(
          session,
          still(found.kept()),
          new BsonDocument("$set", form.again(now)).append("$unset", forgotten()));
    }
    if (!found.moved().isEmpty()) {
      List<BsonDocument> back = new ArrayList<>();
      for (BsonDocument letter : found.moved()) {
        BsonDocument document = letter.clone();
        form.forgotten().forEach(document::remove);
        document.putAll(form.again(now));
        back.add(document);
      }
      outbox.insertMany(session, back);
    }
    // Also what an earlier call left that had no transaction: in the outbox, so no dead letter.
    box.deleteMany(session, form.among(wanted));
    return ids(found.all());
  }

  @Override
  public boolean replace(UUID id, Message replacement, Decision decision) {
    takeIn();
    boolean replaced =
        transactions.transact(
            "replace dead letter " + id, session -> replace(session, id, replacement, decision));
    if (replaced) {
      wakeUps.signal();
    }
    return replaced;
  }

  private boolean replace(ClientSession session, UUID id, Message replacement, Decision decision) {
    DeadLetterBox.Found found = dead.find(session, Set.of(id));
    if (found.all().isEmpty()) {
      return false;
    }
    BsonDocument letter = found.all().get(0);
    DeadLetter replaced = form.letter(letter);
    DeadLetterStore.checkReplacement(replaced.message(), replacement);
    boolean begun = isBegun(session, id, replacement);
    BsonDateTime now = now();
    audit.write(
        session,
        now,
        "replace",
        decision,
        List.of(replaced),
        about -> AuditEntry.about(about) + " replacement=" + replacement.id());
    // First, if it can: a unique index of the application's may not let both be there.
    boolean isUndoable = session.hasActiveTransaction();
    if (isUndoable) {
      remove(session, Set.of(id), found);
    }
    if (!begun) {
      insert(
          session,
          id,
          replacement,
          form.fresh(replacement, now)
              .append(
                  form.names().times().createdAt(),
                  letter.get(form.names().times().createdAt(), now))
              .append(form.names().marks().replaces(), MessageDocument.id(id)));
    }
    if (!isUndoable) {
      remove(session, Set.of(id), found);
    }
    return true;
  }

  private void insert(
      ClientSession session, UUID replaced, Message replacement, BsonDocument document) {
    try {
      outbox.insertOne(session, document);
    } catch (MongoException failed) {
      throw MongoErrors.isDuplicateKey(failed)
          ? QueueInsert.notUnique(replacement, failed)
              .orElseGet(() -> DeadLetterQuery.idIsTaken(replaced, replacement))
          : failed;
    }
  }

  /** Whether an earlier call without a transaction got as far as storing the replacement. */
  private boolean isBegun(ClientSession session, UUID id, Message replacement) {
    BsonDocument byId = form.among(Set.of(replacement.id()));
    @Nullable BsonDocument stored = outbox.find(session, byId).first();
    if (stored == null && box.find(session, byId).first() == null) {
      return false;
    }
    if (stored != null
        && MessageDocument.id(id).equals(stored.get(form.names().marks().replaces()))) {
      return true;
    }
    throw DeadLetterQuery.idIsTaken(id, replacement);
  }

  @Override
  public Set<UUID> discard(Collection<UUID> ids, Decision decision) {
    return decide(
        "discard",
        ids,
        (session, some) -> {
          DeadLetterBox.Found found = dead.find(session, some);
          write(session, now(), "discard", decision, found);
          remove(session, some, found);
          return ids(found.all());
        });
  }

  private interface Change {
    Set<UUID> make(ClientSession session, Set<UUID> ids);
  }

  /** In one transaction, or where that would be too large in several. */
  private Set<UUID> decide(String action, Collection<UUID> ids, Change change) {
    Set<UUID> wanted = DeadLetterQuery.distinct(ids);
    takeIn();
    Set<UUID> changed = new LinkedHashSet<>();
    if (!wanted.isEmpty()) {
      String what = action + " dead letters";
      Map<UUID, Long> bytes = Database.call(what, () -> bytes(wanted));
      Batches.write(
          List.copyOf(wanted),
          id -> bytes.getOrDefault(id, 0L),
          MongoErrors::isTooLarge,
          (part, last) -> {
            Set<UUID> some = new LinkedHashSet<>(part);
            changed.addAll(transactions.transact(what, session -> change.make(session, some)));
          });
    }
    return changed;
  }

  private Map<UUID, Long> bytes(Set<UUID> ids) {
    Map<UUID, Long> bytes = new HashMap<>();
    for (MongoCollection<BsonDocument> collection : List.of(outbox, box)) {
      collection
          .find(form.among(ids))
          .projection(form.idOnly().append(BYTES, Bson.SIZE))
          .forEach(document -> bytes.put(form.id(document), document.getNumber(BYTES).longValue()));
    }
    return bytes;
  }

  private void remove(ClientSession session, Set<UUID> ids, DeadLetterBox.Found found) {
    box.deleteMany(session, form.among(ids));
    outbox.deleteMany(session, still(found.kept()));
  }

  /** Those of these that are dead, now. */
  private BsonDocument still(List<BsonDocument> kept) {
    BsonDocument dead = Bson.same(kept);
    dead.putAll(form.isDead());
    return dead;
  }

  private BsonDocument forgotten() {
    BsonDocument unset = new BsonDocument();
    form.forgotten().forEach(field -> unset.append(field, new BsonString("")));
    return unset;
  }

  private void write(
      ClientSession session,
      BsonDateTime now,
      String action,
      Decision decision,
      DeadLetterBox.Found found) {
    List<DeadLetter> letters = found.all().stream().map(form::letter).toList();
    if (!letters.isEmpty()) {
      audit.write(session, now, action, decision, letters, AuditEntry::about);
    }
  }

  private void takeIn() {
    Database.call(
        "take in dead letters",
        () -> {
          dead.takeIn();
          return true;
        });
  }

  private BsonDateTime now() {
    return new BsonDateTime(time.ask().toEpochMilli());
  }

  private Set<UUID> ids(List<BsonDocument> documents) {
    Set<UUID> ids = new LinkedHashSet<>();
    documents.forEach(document -> ids.add(form.id(document)));
    return ids;
  }

  @Override
  public List<AuditEntry> audit(Optional<String> subject, int limit) {
    return audit.read(subject, limit);
  }

  @Override
  public int purgeAudit(Instant before, int limit) {
    return audit.purge(before, limit);
  }
}
