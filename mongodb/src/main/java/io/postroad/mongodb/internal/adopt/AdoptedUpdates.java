package io.postroad.mongodb.internal.adopt;

import io.postroad.layout.Counting;
import io.postroad.layout.Field;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.mongodb.internal.queue.DestinationIndex;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Updates of documents in an adopted collection, one for each operation of the store. */
final class AdoptedUpdates {
  private final AdoptedFields fields;

  AdoptedUpdates(AdoptedFields fields) {
    this.fields = fields;
  }

  BsonDocument taken(ClaimRequest request, BsonObjectId mark, ServerTime time) {
    BsonDocument hasOwner =
        Bson.of("$eq", AdoptedFields.type(fields.owner), new BsonString("string"));
    BsonDocument expired =
        fields
            .words
            .processing()
            .map(word -> Bson.of("$eq", Bson.field(fields.status), Bson.literal(word)))
            .orElse(hasOwner);
    BsonValue more =
        fields.layout.counting() == Counting.AT_CLAIM
            ? AdoptedFields.ONE
            : Bson.of("$cond", expired, AdoptedFields.ONE, AdoptedFields.ZERO);
    BsonDocument set =
        new BsonDocument(
                fields.names.lease().expiredOwner(),
                Bson.of(
                    "$cond",
                    Bson.of("$and", expired, hasOwner),
                    Bson.field(fields.owner),
                    AdoptedFields.REMOVE))
            .append(fields.owner, Bson.literal(request.owner()))
            .append(AdoptedFields.CLAIMED_BY, Bson.literal(request.owner()))
            .append(fields.until, time.plus(request.leaseFor()))
            .append(
                fields.attempts,
                Bson.of("$add", AdoptedFields.number(fields.attempts, AdoptedFields.ZERO), more))
            .append(
                fields.token,
                Bson.of(
                    "$add",
                    AdoptedFields.number(fields.token, new BsonInt64(0)),
                    AdoptedFields.ONE))
            .append(fields.asideAt, AdoptedFields.REMOVE)
            .append(AdoptedFields.ASIDE_TO, AdoptedFields.REMOVE)
            .append(AdoptedFields.STRANGER_UNTIL, AdoptedFields.REMOVE)
            .append(AdoptedFields.DIED_AT, AdoptedFields.REMOVE)
            .append(fields.names.marks().claim(), mark);
    fields
        .words
        .processing()
        .ifPresentOrElse(
            word -> set.append(fields.status, Bson.literal(word)),
            () -> set.append(fields.dueAt, time.plus(request.leaseFor())));
    return set;
  }

  List<BsonDocument> extended(Duration leaseFor, ServerTime time) {
    BsonDocument set = new BsonDocument(fields.until, time.plus(leaseFor));
    if (fields.words.processing().isEmpty()) {
      set.append(fields.dueAt, time.plus(leaseFor));
    }
    return List.of(Bson.set(set));
  }

  List<BsonDocument> settled(Settlement settlement, BsonObjectId mark, ServerTime time) {
    BsonDocument set =
        switch (settlement.status()) {
          case DISPATCHED ->
              free()
                  .append(fields.status, Bson.literal(fields.words.delivered()))
                  .append(fields.settledAt, time.now());
          case FAILED -> dead(settlement.lastError().orElse(""), time);
          default -> waiting(settlement, time);
        };
    set.append(fields.names.marks().settle(), mark);
    return List.of(
        Bson.set(set),
        Bson.unset(fields.names.lease().expiredOwner(), fields.names.marks().claim()));
  }

  List<BsonDocument> buried(String error, ServerTime time) {
    return List.of(
        Bson.set(dead(error, time)),
        Bson.unset(fields.names.lease().expiredOwner(), fields.names.marks().claim()));
  }

  /** Removes the due time, so that no sweep of the collection's owners revives the message. */
  private BsonDocument dead(String error, ServerTime time) {
    BsonDocument set =
        free()
            .append(fields.status, Bson.literal(fields.words.dead()))
            .append(AdoptedFields.DIED_AT, time.now())
            .append(fields.dueAt, fields.emptied(Field.DUE_AT))
            .append(fields.names.lastError(), Bson.literal(error));
    fields.layout.column(Field.SETTLED_AT).ifPresent(own -> set.append(own, time.now()));
    if (fields.layout.counting() == Counting.AT_FAILURE) {
      set.append(
          fields.attempts,
          Bson.of(
              "$add",
              AdoptedFields.number(fields.attempts, AdoptedFields.ZERO),
              AdoptedFields.ONE));
    }
    return set;
  }

  private BsonDocument waiting(Settlement settlement, ServerTime time) {
    boolean atClaim = fields.layout.counting() == Counting.AT_CLAIM;
    int more = settlement.countsAsAttempt() ? (atClaim ? 0 : 1) : (atClaim ? -1 : 0);
    BsonDocument count =
        Bson.of(
            "$add", AdoptedFields.number(fields.attempts, AdoptedFields.ZERO), new BsonInt32(more));
    BsonValue word =
        fields
            .words
            .waiting()
            .<BsonValue>map(
                retry ->
                    Bson.of(
                        "$cond",
                        Bson.of("$lte", count, AdoptedFields.ZERO),
                        Bson.literal(fields.words.pending()),
                        Bson.literal(retry)))
            .orElse(Bson.literal(fields.words.pending()));
    boolean aside = settlement instanceof Settlement.Blocked;
    BsonDocument set =
        free()
            .append(fields.status, word)
            .append(fields.attempts, count)
            .append(fields.dueAt, aside ? DestinationIndex.DUE_AT : time.plus(settlement.delay()));
    if (aside) {
      set.append(fields.asideAt, time.now())
          .append(AdoptedFields.ASIDE_TO, Bson.literal(settlement.claim().message().destination()));
    }
    settlement
        .lastError()
        .ifPresent(error -> set.append(fields.names.lastError(), Bson.literal(error)));
    return set;
  }

  private BsonDocument free() {
    return new BsonDocument(fields.owner, fields.emptied(Field.LEASE_OWNER))
        .append(fields.until, fields.emptied(Field.LEASE_UNTIL))
        .append(AdoptedFields.CLAIMED_BY, AdoptedFields.REMOVE);
  }

  List<BsonDocument> opened(ServerTime time) {
    return List.of(
        Bson.set(new BsonDocument(fields.dueAt, time.now())),
        Bson.unset(fields.asideAt, AdoptedFields.ASIDE_TO));
  }

  BsonDocument again(BsonDateTime now) {
    BsonDocument set =
        fields
            .isWord(fields.words.pending())
            .append(fields.attempts, AdoptedFields.ZERO)
            .append(fields.dueAt, now);
    Stream.of(Field.LEASE_OWNER, Field.LEASE_UNTIL, Field.SETTLED_AT)
        .map(fields.layout::column)
        .flatMap(Optional::stream)
        .forEach(own -> set.append(own, BsonNull.VALUE));
    return set;
  }
}
