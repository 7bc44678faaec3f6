package io.postroad.mongodb.internal.adopt;

import io.postroad.layout.Field;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.DocumentIds;
import io.postroad.mongodb.internal.client.Look;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.mongodb.internal.queue.Intake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Queries on the documents of an adopted collection; each uses an index. */
final class AdoptedQueries {
  private final AdoptedFields fields;
  private final boolean expires;

  AdoptedQueries(AdoptedFields fields, boolean expires) {
    this.fields = fields;
    this.expires = expires;
  }

  BsonDocument due(ServerTime time) {
    return new BsonDocument("$or", new BsonArray(looks(time).stream().map(Look::which).toList()));
  }

  List<Look> looks(ServerTime time) {
    List<Look> looks = new ArrayList<>();
    looks.add(
        AdoptedFields.look(
            new BsonDocument(fields.status, Bson.in(AdoptedFields.waiting(fields.words)))
                .append("$expr", isDue(time)),
            AdoptedIndexes.DUE,
            fields.dueAt,
            fields.createdAt));
    fields
        .words
        .processing()
        .ifPresent(
            word -> {
              looks.add(
                  AdoptedFields.look(
                      new BsonDocument(fields.status, new BsonString(word))
                          .append(fields.until, AdoptedFields.isDate())
                          .append("$expr", AdoptedFields.reached(fields.until, time.now())),
                      AdoptedIndexes.LEASE,
                      fields.until));
              looks.add(
                  AdoptedFields.look(
                      new BsonDocument(fields.status, new BsonString(word))
                          .append(fields.until, BsonNull.VALUE)
                          .append(AdoptedFields.STRANGER_UNTIL, AdoptedFields.isDate())
                          .append(
                              "$expr",
                              AdoptedFields.reached(AdoptedFields.STRANGER_UNTIL, time.now())),
                      AdoptedIndexes.LEASE,
                      AdoptedFields.STRANGER_UNTIL));
            });
    return looks;
  }

  List<Look> looks(String destination, ServerTime time) {
    List<Look> ofStream = new ArrayList<>();
    for (Look look : looks(time)) {
      BsonDocument which =
          new BsonDocument(
              fields.layout.columnOrAdded(Field.DESTINATION), new BsonString(destination));
      which.putAll(look.which());
      String index = look.index().map(AdoptedIndexes::ofStreams).orElseThrow();
      ofStream.add(new Look(which, look.order(), look.by(), Optional.of(index)));
    }
    return ofStream;
  }

  /** Also finds missing and null fields, which come before all times. */
  private BsonDocument isDue(ServerTime time) {
    List<BsonValue> conditions =
        new ArrayList<>(List.of(AdoptedFields.reached(fields.dueAt, time.now())));
    if (!fields.layout.minAge().isZero()) {
      conditions.add(
          AdoptedFields.reached(fields.createdAt, time.plus(fields.layout.minAge().negated())));
    }
    if (fields.words.processing().isEmpty()) {
      conditions.add(AdoptedFields.reached(fields.until, time.now()));
    }
    return new BsonDocument("$and", new BsonArray(conditions));
  }

  List<Intake.Step> claimIntake(ServerTime time) {
    List<Intake.Step> steps = new ArrayList<>();
    fields
        .words
        .processing()
        .ifPresent(
            word ->
                steps.add(
                    new Intake.Step(
                        AdoptedFields.look(
                            new BsonDocument(fields.status, new BsonString(word))
                                .append(fields.until, BsonNull.VALUE)
                                .append(AdoptedFields.STRANGER_UNTIL, BsonNull.VALUE),
                            AdoptedIndexes.LEASE,
                            fields.until),
                        List.of(
                            Bson.set(
                                new BsonDocument(
                                    AdoptedFields.STRANGER_UNTIL,
                                    time.plus(fields.layout.strangersAfter())))))));
    if (fields.layout.revivesFailed()) {
      steps.addAll(deadIntake(time));
    }
    return steps;
  }

  List<Intake.Step> deadIntake(ServerTime time) {
    BsonValue diedAt =
        AdoptedFields.date(fields.settledAt, AdoptedFields.date(fields.createdAt, time.now()));
    BsonDocument set = new BsonDocument(AdoptedFields.DIED_AT, diedAt);
    if (fields.layout.revivesFailed()) {
      BsonDocument limit =
          AdoptedFields.number(
              AdoptedFields.MAX_RETRIES, new BsonInt32(fields.layout.executions()));
      BsonDocument revivable =
          Bson.of(
              "$and",
              Bson.of("$lt", AdoptedFields.number(fields.attempts, AdoptedFields.ZERO), limit),
              Bson.of("$ne", AdoptedFields.type(fields.settledAt), new BsonString("date")));
      set.append(AdoptedFields.DIED_AT, Bson.of("$cond", revivable, AdoptedFields.REMOVE, diedAt))
          .append(
              fields.status,
              Bson.of(
                  "$cond",
                  revivable,
                  Bson.literal(fields.words.pending()),
                  Bson.literal(fields.words.dead())));
    }
    BsonDocument unseen =
        fields.isWord(fields.words.dead()).append(AdoptedFields.DIED_AT, BsonNull.VALUE);
    return List.of(
        new Intake.Step(
            AdoptedFields.look(unseen, AdoptedIndexes.DEAD, AdoptedFields.DIED_AT),
            List.of(Bson.set(set))));
  }

  List<Look> undelivered() {
    List<Look> looks = new ArrayList<>();
    looks.add(
        AdoptedFields.look(
            new BsonDocument(fields.status, Bson.in(AdoptedFields.waiting(fields.words))),
            AdoptedIndexes.DUE,
            fields.dueAt,
            fields.createdAt));
    fields
        .words
        .processing()
        .ifPresent(
            word ->
                looks.add(
                    AdoptedFields.look(fields.isWord(word), AdoptedIndexes.LEASE, fields.until)));
    return looks;
  }

  BsonValue dueSince() {
    BsonDocument waiting =
        AdoptedFields.date(fields.dueAt, AdoptedFields.date(fields.createdAt, BsonNull.VALUE));
    return fields
        .words
        .processing()
        .map(
            word ->
                Bson.of(
                    "$cond",
                    Bson.of("$eq", Bson.field(fields.status), Bson.literal(word)),
                    AdoptedFields.date(
                        fields.until,
                        AdoptedFields.date(AdoptedFields.STRANGER_UNTIL, BsonNull.VALUE)),
                    waiting))
        .orElse(waiting);
  }

  /** Uses the creation time of a document without a time of delivery. */
  List<Look> delivered(Duration olderThan, ServerTime time) {
    if (expires) {
      return List.of();
    }
    BsonValue then = time.plus(olderThan.negated());
    return List.of(
        AdoptedFields.look(
            isDelivered()
                .append(fields.settledAt, AdoptedFields.isDate())
                .append("$expr", AdoptedFields.reached(fields.settledAt, then)),
            AdoptedIndexes.DELIVERED,
            fields.settledAt),
        AdoptedFields.look(
            isDelivered()
                .append(fields.settledAt, BsonNull.VALUE)
                .append(fields.createdAt, AdoptedFields.isDate())
                .append("$expr", AdoptedFields.reached(fields.createdAt, then)),
            AdoptedIndexes.DELIVERED,
            fields.createdAt));
  }

  BsonDocument isDelivered() {
    return fields.isWord(fields.words.delivered());
  }

  BsonDocument isDead() {
    return fields.isWord(fields.words.dead()).append(AdoptedFields.DIED_AT, AdoptedFields.isDate());
  }

  BsonDocument held(Collection<UUID> ids, long claimToken) {
    List<BsonValue> conditions =
        new ArrayList<>(
            List.of(
                Bson.of("$eq", Bson.field(fields.owner), Bson.field(AdoptedFields.CLAIMED_BY))));
    // Written so that the planner takes no index on the status instead of the ids.
    fields
        .words
        .processing()
        .ifPresent(
            word ->
                conditions.add(
                    Bson.of(
                        "$eq",
                        Bson.of("$cmp", Bson.field(fields.status), Bson.literal(word)),
                        AdoptedFields.ZERO)));
    return DocumentIds.among(ids)
        .append(fields.token, new BsonInt64(claimToken))
        .append(fields.owner, new BsonDocument("$type", new BsonString("string")))
        .append("$expr", new BsonDocument("$and", new BsonArray(conditions)));
  }
}
