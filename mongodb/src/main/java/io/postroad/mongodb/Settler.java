package io.postroad.mongodb;

import com.mongodb.WriteConcern;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.WriteModel;
import io.postroad.store.Claim;
import io.postroad.store.MessageStatus;
import io.postroad.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * SETTLE and EXTEND: change claimed messages where the claim still holds. Messages that are changed
 * alike go together, so a batch that was delivered is one update however long it is.
 */
final class Settler {
  private static final BulkWriteOptions IN_ANY_ORDER = new BulkWriteOptions().ordered(false);

  private final MongoCollection<BsonDocument> leases;
  private final MongoCollection<BsonDocument> settles;
  private final ServerTime time;
  private final DeadLetterBox deadLetters;

  Settler(Database database, DeadLetterBox deadLetters) {
    this.leases = database.latest(Names.OUTBOX);
    // A settle that is forgotten repeats a delivery; a claim that is forgotten gives a token twice.
    this.settles = leases.withWriteConcern(WriteConcern.W1);
    this.time = database.time();
    this.deadLetters = deadLetters;
  }

  /** What proves a claim. */
  private record Held(UUID id, long token) {
    static Held of(Claim claim) {
      return new Held(claim.id(), claim.token());
    }
  }

  /** Messages under one token that one update changes. */
  private record Alike(long token, BsonArray update) {}

  Set<UUID> settle(List<Settlement> settlements) {
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
              new Alike(claim.token(), update(settlement, mark)), alike -> new ArrayList<>())
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
        .find(Bson.ids(ids).append(QueueDocument.SETTLE, mark))
        .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
        .forEach(settled -> ids.remove(MessageDocument.id(settled)));
    return ids;
  }

  Set<UUID> extend(Collection<Claim> claims, Duration leaseFor) {
    Map<Alike, List<UUID>> batch = new LinkedHashMap<>();
    BsonArray update =
        pipeline(
            Bson.set(
                new BsonDocument(QueueDocument.LEASE_UNTIL, time.plus(leaseFor))
                    .append(QueueDocument.DUE_AT, time.plus(leaseFor))));
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
                .find(QueueDocument.held(ids, alike.token()))
                .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
                .forEach(held -> holding.add(MessageDocument.id(held))));
    return holding;
  }

  /** Makes a claimed document that is no message a dead letter. */
  void bury(UUID id, long token, String error) {
    BsonArray update =
        pipeline(Bson.set(dead(error)), Bson.unset(QueueDocument.DUE_AT, QueueDocument.CLAIM));
    settles.bulkWrite(models(Map.of(new Alike(token, update), List.of(id))));
  }

  private static List<WriteModel<BsonDocument>> models(Map<Alike, List<UUID>> batch) {
    List<WriteModel<BsonDocument>> models = new ArrayList<>(batch.size());
    batch.forEach(
        (alike, ids) ->
            models.add(
                new UpdateManyModel<>(
                    QueueDocument.held(ids, alike.token()),
                    alike.update().stream().map(BsonValue::asDocument).toList())));
    return models;
  }

  private BsonArray update(Settlement settlement, BsonObjectId mark) {
    BsonDocument set =
        switch (settlement.status()) {
          case DISPATCHED -> done();
          case FAILED -> dead(settlement.lastError().orElse(""));
          default -> again(settlement);
        };
    set.append(QueueDocument.SETTLE, mark);
    return settlement.status() == MessageStatus.PENDING
        ? pipeline(Bson.set(set), Bson.unset(QueueDocument.EXPIRED_OWNER, QueueDocument.CLAIM))
        : pipeline(
            Bson.set(set),
            Bson.unset(QueueDocument.DUE_AT, QueueDocument.EXPIRED_OWNER, QueueDocument.CLAIM));
  }

  private BsonDocument done() {
    return settled(QueueDocument.DONE);
  }

  private BsonDocument dead(String error) {
    return settled(QueueDocument.DEAD).append(QueueDocument.LAST_ERROR, Bson.literal(error));
  }

  private BsonDocument settled(String status) {
    return free()
        .append(QueueDocument.STATUS, new BsonString(status))
        .append(QueueDocument.SETTLED_AT, time.now());
  }

  /** Waiting again: {@code failed}, or {@code new} if it has never been tried. */
  private BsonDocument again(Settlement settlement) {
    BsonDocument attempts =
        Bson.of(
            "$subtract",
            Bson.field(QueueDocument.ATTEMPTS),
            new BsonInt32(settlement.countsAsAttempt() ? 0 : 1));
    BsonDocument status =
        Bson.of(
            "$cond",
            Bson.of("$lte", attempts, new BsonInt32(0)),
            new BsonString(QueueDocument.NEW),
            new BsonString(QueueDocument.RETRY));
    boolean aside = settlement instanceof Settlement.Aside;
    BsonValue dueAt = aside ? AsideIndex.DUE_AT : time.plus(settlement.delay());
    BsonDocument set =
        free()
            .append(QueueDocument.STATUS, status)
            .append(QueueDocument.ATTEMPTS, attempts)
            .append(QueueDocument.NEXT_RETRY_AT, dueAt)
            .append(QueueDocument.DUE_AT, dueAt);
    if (aside) {
      set.append(QueueDocument.ASIDE_AT, time.now());
    }
    settlement
        .lastError()
        .ifPresent(error -> set.append(QueueDocument.LAST_ERROR, Bson.literal(error)));
    return set;
  }

  private static BsonDocument free() {
    return new BsonDocument(QueueDocument.LEASE_OWNER, BsonNull.VALUE)
        .append(QueueDocument.LEASE_UNTIL, BsonNull.VALUE);
  }

  private static BsonArray pipeline(BsonDocument... stages) {
    return new BsonArray(List.of(stages));
  }
}
