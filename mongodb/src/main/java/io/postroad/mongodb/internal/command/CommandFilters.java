package io.postroad.mongodb.internal.command;

import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.CommandClaim;
import io.postroad.store.CommandStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Which commands a verb is about, by the database's clock. */
public final class CommandFilters {
  private final ServerTime time;

  CommandFilters(ServerTime time) {
    this.time = time;
  }

  public static BsonDocument id(UUID id) {
    return new BsonDocument(MessageDocument.ID, MessageDocument.id(id));
  }

  static BsonDocument among(Collection<BsonValue> ids) {
    return new BsonDocument(MessageDocument.ID, Bson.in(ids));
  }

  /** The command of a claim, while the claim holds. */
  static BsonDocument held(CommandClaim claim) {
    return held(id(claim.id()), claim.token());
  }

  /** Those of them that a claim of this token holds. */
  static BsonDocument held(BsonDocument which, long token) {
    return which
        .append(CommandDocument.TOKEN, new BsonInt64(token))
        .append(CommandDocument.STATUS, CommandDocument.status(CommandStatus.PROCESSING));
  }

  /** What can be claimed: available_at is missing where a command has ended or is elsewhere. */
  BsonDocument due() {
    return past(CommandDocument.AVAILABLE_AT, Duration.ZERO);
  }

  BsonDocument dueOf(List<String> types) {
    return due()
        .append(CommandDocument.TYPE, Bson.in(types.stream().map(BsonString::new).toList()));
  }

  /** The command, while it waits. */
  static BsonDocument pending(UUID id) {
    return id(id).append(CommandDocument.STATUS, status(CommandStatus.PENDING));
  }

  /** Selects commands that no worker has taken, or whose lease is over. */
  BsonDocument untaken(BsonDocument which) {
    BsonDocument pending = new BsonDocument(CommandDocument.STATUS, status(CommandStatus.PENDING));
    BsonDocument leaseOver =
        new BsonDocument(CommandDocument.STATUS, status(CommandStatus.PROCESSING))
            .append("$expr", passed(CommandDocument.AVAILABLE_AT, Duration.ZERO));
    return which.append("$or", new BsonArray(List.of(pending, leaseOver)));
  }

  /** Selects untaken commands whose deadline has passed and was not told yet. */
  BsonDocument expired(Collection<BsonValue> except) {
    BsonDocument expired = untaken(past(CommandDocument.EXPIRES_AT, Duration.ZERO));
    if (!except.isEmpty()) {
      expired.append(MessageDocument.ID, new BsonDocument("$not", Bson.in(except)));
    }
    return expired;
  }

  /** What was sent elsewhere and has not ended. */
  static BsonDocument elsewhere(UUID id) {
    return id(id)
        .append(CommandDocument.DESTINATION, exists())
        .append(CommandDocument.STATUS, anyOf(CommandStatus.PENDING, CommandStatus.PROCESSING));
  }

  /** The same, unless it has arrived here. */
  static BsonDocument away(UUID id) {
    return elsewhere(id)
        .append(CommandDocument.AVAILABLE_AT, new BsonDocument("$exists", BsonBoolean.FALSE));
  }

  static BsonDocument finished(Collection<UUID> ids) {
    return Bson.ids(ids)
        .append(CommandDocument.STATUS, anyOf(CommandStatus.COMPLETED, CommandStatus.FAILED));
  }

  BsonDocument finishedBefore(Duration olderThan) {
    return past(CommandDocument.FINISHED_AT, olderThan);
  }

  /** The field is there, which the partial indexes ask for, and was reached so long ago. */
  private BsonDocument past(String field, Duration ago) {
    return new BsonDocument(field, exists()).append("$expr", passed(field, ago));
  }

  private BsonDocument passed(String field, Duration ago) {
    return Bson.of("$lte", Bson.field(field), time.plus(ago.negated()));
  }

  private static BsonDocument exists() {
    return new BsonDocument("$exists", BsonBoolean.TRUE);
  }

  private static BsonString status(CommandStatus status) {
    return CommandDocument.status(status);
  }

  private static BsonDocument anyOf(CommandStatus... statuses) {
    return Bson.in(Arrays.stream(statuses).map(CommandDocument::status).toList());
  }
}
