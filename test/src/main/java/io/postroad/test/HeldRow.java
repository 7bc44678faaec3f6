package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.store.Claim;
import io.postroad.store.MessageStatus;
import io.postroad.store.Settlement;
import io.postroad.store.StoredMessage;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message that is held back, and its state. Guarded by the lock of its {@link Database}. */
final class HeldRow {
  private final Message message;
  private final long place;
  private final Instant appendedAt;
  private MessageStatus status = MessageStatus.PENDING;
  private int attempts;
  private @Nullable String lastError;
  private @Nullable String sentBy;

  HeldRow(Settlement settlement) {
    Claim claim = settlement.claim();
    this.message = claim.message();
    this.place = claim.token();
    this.appendedAt = claim.appendedAt();
    this.attempts = claim.attempt();
    settle(settlement);
  }

  UUID id() {
    return message.id();
  }

  boolean isDead() {
    return status == MessageStatus.FAILED;
  }

  /** The attempt is counted and its node named before it is sent. */
  Claim take(String node) {
    Optional<String> unsettled = Optional.ofNullable(sentBy);
    sentBy = node;
    attempts++;
    return new Claim(message, place, attempts, appendedAt, unsettled);
  }

  void settle(Settlement settlement) {
    status = settlement.status();
    sentBy = null;
    settlement.lastError().ifPresent(error -> lastError = error);
    if (!settlement.countsAsAttempt()) {
      attempts--;
    }
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
