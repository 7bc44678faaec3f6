package io.postroad.internal.relay.lane;

import io.postroad.internal.relay.Verdict;
import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LanePosition;
import io.postroad.spi.Settlement;
import io.postroad.store.OrderKey;
import org.jspecify.annotations.Nullable;

/**
 * A message between read and advance.
 *
 * <pre>
 * WAITING --send--> FLYING --accepted--> DONE (delivered)
 *    ^  |              |-----rejected--> DONE (held back, its key is blocked)
 *    |  |              |-----unknown---> WAITING
 *    |  |              |--unknown, others were answered--> DONE (held back, its key is blocked)
 *    |  |-- its key is blocked --------> DONE (held back behind the one that failed)
 * </pre>
 *
 * <p>Used by one thread.
 */
final class Slot {
  private final LaneEntry entry;
  private Pipe.@Nullable Flight flight;
  private @Nullable Verdict verdict;
  private int unknowns;

  Slot(LaneEntry entry) {
    this.entry = entry;
  }

  Claim claim() {
    return entry.claim();
  }

  Message message() {
    return entry.message();
  }

  LanePosition position() {
    return entry.position();
  }

  OrderKey key() {
    return OrderKey.of(entry.message());
  }

  boolean isWaiting() {
    return flight == null && verdict == null;
  }

  boolean isFlying() {
    return flight != null;
  }

  boolean isDone() {
    return verdict != null;
  }

  boolean isSetAside() {
    return verdict != null && verdict.settlement() instanceof Settlement.Blocked;
  }

  /** What it was done with. */
  Verdict verdict() {
    if (verdict == null) {
      throw new IllegalStateException("message %s is not done".formatted(claim().id()));
    }
    return verdict;
  }

  Pipe.@Nullable Flight flight() {
    return flight;
  }

  @Nullable SendOutcome outcome() {
    return flight == null ? null : flight.outcome();
  }

  boolean isOverdue(long now, long timeoutNanos) {
    return flight != null && flight.isOverdue(now, timeoutNanos);
  }

  void fly(Pipe.Flight newFlight) {
    flight = newFlight;
  }

  void done(Verdict newVerdict) {
    flight = null;
    verdict = newVerdict;
  }

  /** Back to waiting. */
  void again() {
    flight = null;
  }

  /** How often its own outcome was unknown. */
  int unknowns() {
    return unknowns;
  }

  /** Counts an unknown outcome of its own, not of one before it; how many there were. */
  int countUnknown() {
    return ++unknowns;
  }
}
