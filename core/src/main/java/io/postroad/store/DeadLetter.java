package io.postroad.store;

import io.postroad.message.Message;
import java.time.Instant;
import java.util.UUID;

/**
 * A message that is not tried again until an operator decides.
 *
 * @param attempts how often it was tried
 * @param diedAt when it became a dead letter, by the database's clock
 * @param error of the last attempt
 * @param blocksKey whether the messages of its key wait behind it
 */
public record DeadLetter(
    Message message,
    int attempts,
    Instant appendedAt,
    Instant diedAt,
    String error,
    boolean blocksKey) {

  public UUID id() {
    return message.id();
  }

  /** Returns its place in a list. */
  public Mark mark() {
    return new Mark(diedAt, id());
  }

  /** Where a list goes on: behind the dead letter with this time and id. */
  public record Mark(Instant diedAt, UUID id) {}
}
