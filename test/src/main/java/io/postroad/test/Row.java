package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.BlockedDestination;
import io.postroad.store.DeadLetter;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A stored message and its state. Guarded by the lock of its {@link Database}. */
final class Row {
  /** Longest due first; of those due at the same time, the one that was stored first. */
  static final Comparator<Row> BY_DUE_TIME =
      Comparator.<Row, Instant>comparing(row -> row.dueAt).thenComparingLong(row -> row.place);

  private final Message message;
  private final long place;
  private final Instant appendedAt;
  private MessageStatus status = MessageStatus.PENDING;
  private Instant dueAt;
  private Instant settledAt;
  private int attempts;
  private long token;
  private @Nullable String owner;
  private @Nullable String lastError;
  private @Nullable Instant asideSince;

  Row(InMemoryTransaction.Staged staged) {
    this(staged.message(), staged.place(), staged.appendedAt(), staged.dueAt());
  }

  private Row(Message message, long place, Instant appendedAt, Instant dueAt) {
    this.message = message;
    this.place = place;
    this.appendedAt = appendedAt;
    this.settledAt = appendedAt;
    this.dueAt = dueAt;
  }

  UUID id() {
    return message.id();
  }

  Instant dueAt() {
    return dueAt;
  }

  boolean isDue(Instant now) {
    return !dueAt.isAfter(now);
  }

  boolean isDeliveredBy(Instant time) {
    return status == MessageStatus.DISPATCHED && !settledAt.isAfter(time);
  }

  Claim claim(ClaimRequest request, Instant now) {
    Optional<String> expiredOwner = Optional.ofNullable(owner);
    status = MessageStatus.PROCESSING;
    dueAt = now.plus(request.leaseFor());
    owner = request.owner();
    attempts++;
    token++;
    return new Claim(message, token, attempts, appendedAt, expiredOwner);
  }

  /** Whether this claim is the latest and was not settled yet. */
  boolean isHeldBy(Claim claim) {
    return status == MessageStatus.PROCESSING && token == claim.token();
  }

  void leaseUntil(Instant time) {
    dueAt = time;
  }

  void settle(Settlement settlement, Instant now) {
    status = settlement.status();
    boolean aside = settlement instanceof Settlement.Blocked;
    asideSince = aside ? now : null;
    dueAt = aside ? BlockedDestination.DUE_AT : now.plus(settlement.delay());
    settledAt = now;
    owner = null;
    settlement.lastError().ifPresent(error -> lastError = error);
    if (!settlement.countsAsAttempt()) {
      attempts--;
    }
  }

  String destination() {
    return message.destination();
  }

  /** Since when it waits for its destination. */
  Optional<Instant> asideSince() {
    return Optional.ofNullable(asideSince);
  }

  void open(Instant now) {
    asideSince = null;
    dueAt = now;
  }

  Optional<DeadLetter> deadLetter() {
    return status == MessageStatus.FAILED
        ? Optional.of(
            new DeadLetter(
                message, attempts, appendedAt, settledAt, Objects.requireNonNull(lastError), false))
        : Optional.empty();
  }

  /** Returns the owner that let the lease of this message expire, until a node claims it again. */
  Optional<String> expiredOwner(Instant now) {
    return status == MessageStatus.PROCESSING && isDue(now)
        ? Optional.ofNullable(owner)
        : Optional.empty();
  }

  void replay(Instant now) {
    status = MessageStatus.PENDING;
    dueAt = now;
    attempts = 0;
  }

  Row replacedBy(Message replacement, Instant now) {
    return new Row(replacement, place, appendedAt, now);
  }

  StoredMessage stored(Instant now) {
    boolean expired = status == MessageStatus.PROCESSING && isDue(now);
    return new StoredMessage(
        message,
        expired ? MessageStatus.PENDING : status,
        attempts,
        appendedAt,
        dueAt,
        Optional.ofNullable(owner),
        Optional.ofNullable(lastError));
  }
}
