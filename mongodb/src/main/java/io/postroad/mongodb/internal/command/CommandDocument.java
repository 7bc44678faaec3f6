package io.postroad.mongodb.internal.command;

import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.store.CommandStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * A command as a document; {@code _id} is its id. What a command does not have is left out. Times
 * have milliseconds; a finer {@code notBefore} or timeout is rounded up.
 */
final class CommandDocument {
  static final String TYPE = "type";
  static final String IDEMPOTENCY_KEY = "idempotency_key";
  static final String BUSINESS_KEY = "business_key";
  static final String PAYLOAD = "payload";
  static final String FINGERPRINT = "fingerprint";
  static final String HEADERS = "headers";
  static final String CORRELATION_ID = "correlation_id";
  static final String DESTINATION = "destination";
  static final String REPLY_TO = "reply_to";
  static final String NOT_BEFORE = "not_before";
  static final String TIMEOUT_MS = "timeout_ms";
  static final String LATE_ALLOWED = "late_allowed";

  static final String STATUS = "status";
  static final String ATTEMPTS = "attempts";
  static final String TOKEN = "token";
  static final String CREATED_AT = "created_at";
  static final String DEADLINE = "deadline";
  static final String LAST_ERROR = "last_error";
  static final String FINISHED_AT = "finished_at";
  static final String OUTCOME_CODE = "outcome_code";
  static final String OUTCOME_ERROR = "outcome_error";
  static final String OUTCOME_DATA = "outcome_data";

  /**
   * What the claim goes by: the due time or the lease's end; missing when finished or elsewhere.
   */
  static final String AVAILABLE_AT = "available_at";

  /** The deadline, until it was told that it is over, or the command has ended. */
  static final String EXPIRES_AT = "expires_at";

  /** Owner and beginning of the lease; only while it is PROCESSING. */
  static final String LEASE_OWNER = "lease_owner";

  static final String CLAIMED_AT = "claimed_at";

  /** When the transaction of its latest handler began. */
  static final String OPENED_AT = "opened_at";

  /** Which claim, and which release, was the latest to change it. */
  static final String CLAIM = "claim";

  static final String RELEASE = "release";

  private CommandDocument() {}

  /** A command that is accepted now. */
  static BsonDocument fresh(NewCommand command, BsonDateTime now) {
    BsonDocument document = submitted(command);
    document.put(STATUS, status(CommandStatus.PENDING));
    document.put(ATTEMPTS, new BsonInt32(0));
    document.put(TOKEN, new BsonInt64(0));
    document.put(CREATED_AT, now);
    if (command.destination().isEmpty()) {
      document.put(AVAILABLE_AT, due(command, now));
    }
    if (document.containsKey(TIMEOUT_MS)) {
      long timeout = document.getInt64(TIMEOUT_MS).getValue();
      BsonDateTime deadline = new BsonDateTime(Math.addExact(now.getValue(), timeout));
      document.put(DEADLINE, deadline);
      document.put(EXPIRES_AT, deadline);
    }
    return document;
  }

  /** A command that is accepted now and taken by its accepter: as a first claim would leave it. */
  static BsonDocument taken(NewCommand command, BsonDateTime now, String owner, Duration leaseFor) {
    BsonDocument document = fresh(command, now);
    document.put(STATUS, status(CommandStatus.PROCESSING));
    document.put(ATTEMPTS, new BsonInt32(1));
    document.put(TOKEN, new BsonInt64(1));
    document.put(LEASE_OWNER, new BsonString(owner));
    document.put(CLAIMED_AT, now);
    document.put(AVAILABLE_AT, new BsonDateTime(now.getValue() + millis(leaseFor)));
    return document;
  }

  private static BsonDocument submitted(NewCommand command) {
    BsonDocument document = new BsonDocument(32);
    document.put(MessageDocument.ID, MessageDocument.id(command.id()));
    document.put(TYPE, new BsonString(command.type()));
    document.put(IDEMPOTENCY_KEY, new BsonString(command.idempotencyKey()));
    document.put(BUSINESS_KEY, new BsonString(command.businessKey()));
    document.put(PAYLOAD, new BsonString(command.payload()));
    document.put(FINGERPRINT, new BsonString(command.fingerprint()));
    if (!command.headers().isEmpty()) {
      document.put(HEADERS, MessageDocument.headers(command.headers()));
    }
    document.put(CORRELATION_ID, MessageDocument.id(command.correlationId()));
    command.destination().ifPresent(text -> document.put(DESTINATION, new BsonString(text)));
    command.replyTo().ifPresent(text -> document.put(REPLY_TO, new BsonString(text)));
    command.notBefore().ifPresent(time -> document.put(NOT_BEFORE, MessageDocument.time(time)));
    command.timeout().ifPresent(time -> document.put(TIMEOUT_MS, new BsonInt64(millis(time))));
    document.put(LATE_ALLOWED, BsonBoolean.valueOf(command.lateAllowed()));
    return document;
  }

  private static BsonDateTime due(NewCommand command, BsonDateTime now) {
    return command
        .notBefore()
        .map(MessageDocument::time)
        .filter(time -> time.compareTo(now) > 0)
        .orElse(now);
  }

  private static long millis(Duration time) {
    long millis = time.toMillis();
    return Duration.ofMillis(millis).compareTo(time) < 0 ? millis + 1 : millis;
  }

  static BsonString status(CommandStatus status) {
    return new BsonString(status.name());
  }

  /** Reads the command of a document. */
  static StoredCommand stored(BsonDocument document) {
    CommandStatus status = CommandStatus.valueOf(MessageDocument.text(document, STATUS));
    return new StoredCommand(
        command(document),
        status,
        attempt(document),
        new StoredCommand.Times(
            MessageDocument.instant(document, CREATED_AT),
            time(document, AVAILABLE_AT),
            time(document, DEADLINE)),
        new StoredCommand.Lease(
            MessageDocument.optional(document, LEASE_OWNER), time(document, CLAIMED_AT)),
        MessageDocument.optional(document, LAST_ERROR),
        new StoredCommand.End(time(document, FINISHED_AT), outcome(document, status)));
  }

  /** Reads the claim of a document that was just claimed. */
  static CommandClaim claim(BsonDocument claimed) {
    Instant now = MessageDocument.instant(claimed, CLAIMED_AT);
    return new CommandClaim(
        command(claimed),
        claimed.getNumber(TOKEN).longValue(),
        attempt(claimed),
        time(claimed, DEADLINE).map(end -> Duration.between(now, end)));
  }

  /** Tells whether the deadline of a document that was just opened has passed. */
  static boolean isLate(BsonDocument opened) {
    Instant now = MessageDocument.instant(opened, OPENED_AT);
    return time(opened, DEADLINE).filter(end -> !end.isAfter(now)).isPresent();
  }

  private static NewCommand command(BsonDocument document) {
    return new NewCommand(
        MessageDocument.id(document),
        MessageDocument.text(document, TYPE),
        MessageDocument.text(document, IDEMPOTENCY_KEY),
        MessageDocument.text(document, BUSINESS_KEY),
        new NewCommand.Body(
            MessageDocument.text(document, PAYLOAD),
            MessageDocument.text(document, FINGERPRINT),
            document.containsKey(HEADERS)
                ? MessageDocument.headers(document.getArray(HEADERS))
                : Map.of()),
        new NewCommand.Route(
            MessageDocument.uuid(document, CORRELATION_ID),
            MessageDocument.optional(document, DESTINATION),
            MessageDocument.optional(document, REPLY_TO)),
        new NewCommand.Times(
            time(document, NOT_BEFORE),
            document.containsKey(TIMEOUT_MS)
                ? Optional.of(Duration.ofMillis(document.getNumber(TIMEOUT_MS).longValue()))
                : Optional.empty(),
            document.getBoolean(LATE_ALLOWED).getValue()));
  }

  private static Optional<CommandOutcome> outcome(BsonDocument document, CommandStatus status) {
    return status.isFinished()
        ? Optional.of(
            new CommandOutcome(
                status,
                MessageDocument.text(document, OUTCOME_CODE),
                MessageDocument.optional(document, OUTCOME_ERROR),
                MessageDocument.optional(document, OUTCOME_DATA)))
        : Optional.empty();
  }

  private static int attempt(BsonDocument document) {
    return document.getNumber(ATTEMPTS).intValue();
  }

  private static Optional<Instant> time(BsonDocument document, String field) {
    return document.isDateTime(field)
        ? Optional.of(MessageDocument.instant(document, field))
        : Optional.empty();
  }
}
