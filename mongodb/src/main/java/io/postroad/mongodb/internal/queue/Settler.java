package io.postroad.mongodb.internal.queue;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.WriteModel;
import io.postroad.mongodb.internal.admin.DeadLetterBox;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;

/**
 * SETTLE and EXTEND: change claimed messages where the claim still holds. Messages that are changed
 * alike go together, so a batch that was delivered is one update however long it is.
 */
public final class Settler {
  private static final BulkWriteOptions IN_ANY_ORDER = new BulkWriteOptions().ordered(false);

  private final MongoCollection<BsonDocument> leases;
  private final MongoCollection<BsonDocument> settles;
  private final MongoCollection<BsonDocument> callers;
  private final ServerTime time;
  private final QueueForm form;
  private final DeadLetterBox deadLetters;

  public Settler(Database database, QueueForm form, DeadLetterBox deadLetters) {
    this.form = form;
    this.leases = Database.latest(form.collection(database));
    // A settle that is forgotten repeats a delivery; a claim that is forgotten gives a token twice.
    this.settles = leases.withWriteConcern(WriteConcern.W1);
    this.callers = form.callersCollection(database);
    this.time = database.time();
    this.deadLetters = deadLetters;
  }

  /** The pair of id and token that proves a claim. */
  private record Held(UUID id, long token) {
    static Held of(Claim claim) {
      return new Held(claim.id(), claim.token());
    }
  }

  /** Messages under one token that one update changes. */
  private record Alike(long token, List<BsonDocument> update) {}

  public Set<UUID> settle(List<Settlement> settlements) {
    Set<UUID> rejected = new HashSet<>();
    Map<Alike, List<UUID>> batch = new LinkedHashMap<>();
    List<UUID> dead = new ArrayList<>();
    Set<Held> seen = new HashSet<>();
    BsonObjectId mark = new BsonObjectId();
    for (Settlement settlement : settlements) {
      Claim claim = settlement.claim();
      if (!seen.add(Held.of(claim))) {
        rejected.add(claim.id());
        continue;
      }
      batch
          .computeIfAbsent(
              new Alike(claim.token(), form.settled(settlement, mark, time)),
              alike -> new ArrayList<>())
          .add(claim.id());
      if (settlement instanceof Settlement.Dead) {
        dead.add(claim.id());
      }
    }
    if (!batch.isEmpty()) {
      Database.call("settle messages", () -> rejected.addAll(settle(batch, mark)));
      dead.removeAll(rejected);
      deadLetters.bring(dead);
    }
    return rejected;
  }

  private Set<UUID> settle(Map<Alike, List<UUID>> batch, BsonObjectId mark) {
    Set<UUID> ids = new HashSet<>();
    batch.values().forEach(ids::addAll);
    BulkWriteResult result = settles.bulkWrite(models(batch), IN_ANY_ORDER);
    int asked = batch.values().stream().mapToInt(List::size).sum();
    if (result.getMatchedCount() == asked) {
      return Set.of();
    }
    settles
        .find(form.among(ids).append(form.names().marks().settle(), mark))
        .projection(form.idOnly())
        .forEach(settled -> ids.remove(form.id(settled)));
    return ids;
  }

  /** In the caller's session; false when the claim no longer holds, and nothing was changed. */
  public boolean settle(ClientSession session, Settlement settlement) {
    Claim claim = settlement.claim();
    try {
      boolean held =
          callers
                  .updateOne(
                      session,
                      form.held(List.of(claim.id()), claim.token()),
                      form.settled(settlement, new BsonObjectId(), time))
                  .getMatchedCount()
              > 0;
      if (held && settlement instanceof Settlement.Dead) {
        deadLetters.bring(session, claim.id());
      }
      return held;
    } catch (MongoException failed) {
      throw MongoErrors.inTransaction("settle message " + claim.id(), failed);
    }
  }

  /** In the caller's session: others that want it conflict with its transaction, and pass by. */
  public boolean extend(ClientSession session, Claim claim, Duration leaseFor) {
    try {
      BsonDocument held = form.held(List.of(claim.id()), claim.token());
      return callers.updateOne(session, held, form.extended(leaseFor, time)).getMatchedCount() > 0;
    } catch (MongoException failed) {
      throw MongoErrors.inTransaction("extend the lease of message " + claim.id(), failed);
    }
  }

  public Set<UUID> extend(Collection<Claim> claims, Duration leaseFor) {
    Map<Alike, List<UUID>> batch = new LinkedHashMap<>();
    List<BsonDocument> update = form.extended(leaseFor, time);
    claims.stream()
        .map(Held::of)
        .distinct()
        .forEach(
            held ->
                batch
                    .computeIfAbsent(new Alike(held.token(), update), alike -> new ArrayList<>())
                    .add(held.id()));
    return batch.isEmpty() ? Set.of() : Database.call("extend leases", () -> extend(batch));
  }

  private Set<UUID> extend(Map<Alike, List<UUID>> batch) {
    BulkWriteResult result = leases.bulkWrite(models(batch), IN_ANY_ORDER);
    Set<UUID> holding = new HashSet<>();
    batch.values().forEach(holding::addAll);
    int asked = batch.values().stream().mapToInt(List::size).sum();
    if (result.getMatchedCount() == asked) {
      return holding;
    }
    holding.clear();
    batch.forEach(
        (alike, ids) ->
            leases
                .find(form.held(ids, alike.token()))
                .projection(form.idOnly())
                .forEach(held -> holding.add(form.id(held))));
    return holding;
  }

  /** Makes a claimed document that is no message a dead letter. */
  void bury(UUID id, long token, String error) {
    settles.bulkWrite(models(Map.of(new Alike(token, form.buried(error, time)), List.of(id))));
  }

  /**
   * The same of one that has no id of a message: a dead letter with the new id takes its place,
   * because {@code _id} cannot be changed. A crash in between leaves one more dead letter.
   */
  void bury(BsonDocument claimed, UUID newId, String error) {
    BsonDocument same =
        Bson.same(List.of(claimed))
            .append(form.names().lease().token(), new BsonInt64(form.token(claimed)));
    List<BsonDocument> copy = new ArrayList<>();
    copy.add(new BsonDocument("$match", same));
    copy.add(Bson.set(new BsonDocument(MessageDocument.ID, MessageDocument.id(newId))));
    copy.addAll(form.buried(error, time));
    copy.add(
        new BsonDocument(
            "$merge",
            new BsonDocument("into", new BsonString(leases.getNamespace().getCollectionName()))
                .append("whenMatched", new BsonString("fail"))));
    leases.aggregate(copy).toCollection();
    leases.deleteOne(same);
  }

  private List<WriteModel<BsonDocument>> models(Map<Alike, List<UUID>> batch) {
    List<WriteModel<BsonDocument>> models = new ArrayList<>(batch.size());
    batch.forEach(
        (alike, ids) ->
            models.add(new UpdateManyModel<>(form.held(ids, alike.token()), alike.update())));
    return models;
  }
}
