package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import java.time.Instant;
import java.util.Optional;

/**
 * A committed message in a lane.
 *
 * @param place its place in the lane, drawn before its transaction committed
 * @param commit the number of the commit that made it visible
 * @param dueAt when it was appended, or when it was scheduled for
 */
record LogRow(Message message, long place, long commit, Instant appendedAt, Instant dueAt) {

  /** Returns the row that a commit, or its due time, made visible at this place. */
  static LogRow of(InMemoryTransaction.Staged staged, long place, long commit) {
    return new LogRow(staged.message(), place, commit, staged.appendedAt(), staged.dueAt());
  }

  LogRow with(Message replacement) {
    return new LogRow(replacement, place, commit, appendedAt, dueAt);
  }

  Claim firstAttempt() {
    return new Claim(message, place, 1, appendedAt, Optional.empty());
  }

  StoredMessage stored(boolean delivered) {
    return new StoredMessage(
        message,
        delivered ? MessageStatus.DISPATCHED : MessageStatus.PENDING,
        delivered ? 1 : 0,
        appendedAt,
        dueAt,
        Optional.empty(),
        Optional.empty());
  }
}
