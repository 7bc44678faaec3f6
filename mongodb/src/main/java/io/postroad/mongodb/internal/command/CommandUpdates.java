package io.postroad.mongodb.internal.command;

import static io.postroad.mongodb.internal.command.CommandDocument.ATTEMPTS;
import static io.postroad.mongodb.internal.command.CommandDocument.AVAILABLE_AT;
import static io.postroad.mongodb.internal.command.CommandDocument.CLAIM;
import static io.postroad.mongodb.internal.command.CommandDocument.CLAIMED_AT;
import static io.postroad.mongodb.internal.command.CommandDocument.EXPIRES_AT;
import static io.postroad.mongodb.internal.command.CommandDocument.FINISHED_AT;
import static io.postroad.mongodb.internal.command.CommandDocument.LAST_ERROR;
import static io.postroad.mongodb.internal.command.CommandDocument.LEASE_OWNER;
import static io.postroad.mongodb.internal.command.CommandDocument.NOT_BEFORE;
import static io.postroad.mongodb.internal.command.CommandDocument.OPENED_AT;
import static io.postroad.mongodb.internal.command.CommandDocument.OUTCOME_CODE;
import static io.postroad.mongodb.internal.command.CommandDocument.OUTCOME_DATA;
import static io.postroad.mongodb.internal.command.CommandDocument.OUTCOME_ERROR;
import static io.postroad.mongodb.internal.command.CommandDocument.RELEASE;
import static io.postroad.mongodb.internal.command.CommandDocument.STATUS;
import static io.postroad.mongodb.internal.command.CommandDocument.TOKEN;

import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.CommandOutcome;
import io.postroad.store.CommandStatus;
import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;

/** What each verb writes into the document of a command, by the database's clock. */
final class CommandUpdates {
  private final ServerTime time;

  CommandUpdates(ServerTime time) {
    this.time = time;
  }

  List<BsonDocument> claimed(String owner, Duration leaseFor, BsonObjectId mark) {
    return List.of(
        Bson.set(
            new BsonDocument(STATUS, CommandDocument.status(CommandStatus.PROCESSING))
                .append(ATTEMPTS, Bson.of("$add", Bson.field(ATTEMPTS), new BsonInt32(1)))
                .append(TOKEN, Bson.of("$add", Bson.field(TOKEN), new BsonInt64(1)))
                .append(LEASE_OWNER, Bson.literal(owner))
                .append(CLAIMED_AT, time.now())
                .append(AVAILABLE_AT, time.plus(leaseFor))
                .append(CLAIM, mark)));
  }

  /** Sets another value each time: an update that changes nothing would not lock the document. */
  List<BsonDocument> opened() {
    BsonDocument later = Bson.of("$add", Bson.field(OPENED_AT), new BsonInt64(1));
    return List.of(Bson.set(new BsonDocument(OPENED_AT, Bson.of("$max", time.now(), later))));
  }

  List<BsonDocument> retried(Duration delay, String error) {
    return List.of(Bson.set(putOff(delay, error)), Bson.unset(LEASE_OWNER, CLAIMED_AT));
  }

  List<BsonDocument> handedOver(Duration pause, String why) {
    return List.of(
        Bson.set(
            putOff(pause, why)
                .append(ATTEMPTS, Bson.of("$subtract", Bson.field(ATTEMPTS), new BsonInt32(1)))),
        Bson.unset(LEASE_OWNER, CLAIMED_AT));
  }

  private BsonDocument putOff(Duration delay, String error) {
    return new BsonDocument(STATUS, CommandDocument.status(CommandStatus.PENDING))
        .append(LAST_ERROR, Bson.literal(error))
        .append(AVAILABLE_AT, time.plus(delay));
  }

  List<BsonDocument> released(BsonObjectId mark) {
    return List.of(
        Bson.set(
            new BsonDocument(STATUS, CommandDocument.status(CommandStatus.PENDING))
                .append(ATTEMPTS, Bson.of("$subtract", Bson.field(ATTEMPTS), new BsonInt32(1)))
                .append(AVAILABLE_AT, time.now())
                .append(RELEASE, mark)),
        Bson.unset(LEASE_OWNER, CLAIMED_AT));
  }

  List<BsonDocument> ended(CommandOutcome outcome) {
    BsonDocument end =
        new BsonDocument(STATUS, CommandDocument.status(outcome.status()))
            .append(OUTCOME_CODE, Bson.literal(outcome.code()))
            .append(FINISHED_AT, time.now());
    outcome.error().ifPresent(error -> end.append(OUTCOME_ERROR, Bson.literal(error)));
    outcome.data().ifPresent(data -> end.append(OUTCOME_DATA, Bson.literal(data)));
    return List.of(
        Bson.set(end),
        Bson.unset(AVAILABLE_AT, EXPIRES_AT, LEASE_OWNER, CLAIMED_AT, CLAIM, RELEASE));
  }

  List<BsonDocument> arrived() {
    return List.of(
        Bson.set(
            new BsonDocument(AVAILABLE_AT, Bson.of("$max", time.now(), Bson.field(NOT_BEFORE)))));
  }

  /** It was told that the deadline is over, which is told once. */
  static List<BsonDocument> toldLate() {
    return List.of(Bson.unset(EXPIRES_AT));
  }
}
