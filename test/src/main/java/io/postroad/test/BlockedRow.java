package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.DeadLetter;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import io.postroad.store.StoredMessage;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A blocked message and its state. Guarded by the lock of its {@link Database}. */
final class BlockedRow {
  private final Message message;
  private final long place;
  private final Instant appendedAt;
  private MessageStatus status = MessageStatus.PENDING;
  private int attempts;
  private @Nullable String lastError;
  private @Nullable String sentBy;
  private Instant settledAt;

  BlockedRow(Settlement settlement, Instant now) {
    this(settlement.claim().message(), settlement.claim().token(), settlement.claim().appendedAt());
    this.attempts = settlement.claim().attempt();
    settle(settlement, now);
  }

  private BlockedRow(Message message, long place, Instant appendedAt) {
    this.message = message;
    this.place = place;
    this.appendedAt = appendedAt;
    this.settledAt = appendedAt;
  }

  UUID id() {
    return message.id();
  }

  OrderKey key() {
    return OrderKey.of(message);
  }

  long place() {
    return place;
  }

  boolean isDead() {
    return status == MessageStatus.FAILED;
  }

  /** Whether an attempt is open. */
  boolean isTaken() {
    return sentBy != null;
  }

  /** The attempt is counted and its node named before it is sent. */
  Claim take(String node) {
    Optional<String> unsettled = Optional.ofNullable(sentBy);
    sentBy = node;
    attempts++;
    return new Claim(message, place, attempts, appendedAt, unsettled);
  }

  void settle(Settlement settlement, Instant now) {
    status = settlement.status();
    settledAt = now;
    sentBy = null;
    settlement.lastError().ifPresent(error -> lastError = error);
    if (!settlement.countsAsAttempt()) {
      attempts--;
    }
  }

  DeadLetter deadLetter(boolean parksKey) {
    return new DeadLetter(
        message,
        attempts,
        appendedAt,
        settledAt,
        Objects.requireNonNull(lastError, "a dead letter has an error"),
        parksKey);
  }

  void replay() {
    status = MessageStatus.PENDING;
    attempts = 0;
  }

  BlockedRow replacedBy(Message replacement) {
    return new BlockedRow(replacement, place, appendedAt);
  }

  StoredMessage stored(Instant dueAt) {
    return new StoredMessage(
        message,
        status,
        attempts,
        appendedAt,
        dueAt,
        Optional.ofNullable(sentBy),
        Optional.ofNullable(lastError));
  }
}
