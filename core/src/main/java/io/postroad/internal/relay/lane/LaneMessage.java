package io.postroad.internal.relay.lane;

import io.postroad.internal.relay.MessageResult;
import io.postroad.internal.relay.lane.LaneSession.InFlightSend;
import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import io.postroad.spi.LanePosition;
import io.postroad.spi.Settlement;
import io.postroad.store.OrderKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message of a lane from its read to its settlement.
 *
 * <pre>
 * WAITING --send--> IN FLIGHT --accepted--> SETTLED (delivered)
 *    ^  |              |------rejected----> SETTLED (its key is blocked)
 *    |  |              |------unknown-----> WAITING
 *    |  |              |--unknown, others were answered--> SETTLED (its key is blocked)
 *    |  |-- its key is blocked -----------> SETTLED (blocked behind the message that failed)
 * </pre>
 *
 * <p>Used by one thread.
 */
final class LaneMessage {
  private final Claim claim;
  private final @Nullable LanePosition position;
  private @Nullable InFlightSend send;
  private @Nullable MessageResult result;
  private int unknowns;

  /**
   * Makes a message that waits to be sent.
   *
   * @param position its place in the lane; null for a message that is taken from the blocked ones
   */
  LaneMessage(Claim claim, @Nullable LanePosition position) {
    this.claim = claim;
    this.position = position;
  }

  Claim claim() {
    return claim;
  }

  LanePosition position() {
    return Objects.requireNonNull(position, "a message that was read from the lane has a position");
  }

  Message message() {
    return claim.message();
  }

  String destination() {
    return claim.message().destination();
  }

  OrderKey key() {
    return OrderKey.of(claim.message());
  }

  boolean isWaiting() {
    return send == null && result == null;
  }

  boolean isSettled() {
    return result != null;
  }

  boolean waitsForDestination() {
    return result != null && result.settlement() instanceof Settlement.Blocked;
  }

  /** Returns the result of a settled message. */
  MessageResult result() {
    if (result == null) {
      throw new IllegalStateException("message %s is not settled".formatted(claim.id()));
    }
    return result;
  }

  /** Returns the send that is in flight or has an outcome which is not settled yet. */
  @Nullable InFlightSend send() {
    return send;
  }

  @Nullable SendOutcome outcome() {
    return send == null ? null : send.outcome();
  }

  boolean isOverdue(long now, long timeoutNanos) {
    return send != null && send.isOverdue(now, timeoutNanos);
  }

  void sent(InFlightSend newSend) {
    send = newSend;
  }

  void settled(MessageResult newResult) {
    send = null;
    result = newResult;
  }

  /** Waits for another send. */
  void sendAgain() {
    send = null;
  }

  int unknowns() {
    return unknowns;
  }

  /** Counts an unknown outcome that no earlier message caused; returns how many there were. */
  int countUnknown() {
    return ++unknowns;
  }
}
