package io.postroad.outbox;

import io.postroad.engine.Pace;
import io.postroad.engine.Ticker;
import io.postroad.outbox.OutboxSignal.Subject;
import io.postroad.outbox.SendOutcome.Accepted;
import io.postroad.outbox.SendOutcome.Unknown;
import io.postroad.store.Settlement;
import java.util.List;
import java.util.Set;

/**
 * What becomes of the messages of a lane's {@link Pipe} after one of them was not accepted: those
 * that were rejected are held back or set aside, with the followers of their keys; those that are
 * unknown are sent again from where they are, in order.
 *
 * <p>Used by one thread.
 */
final class LaneFailures {
  /** Unknown outcomes of one message, while others got an answer, after which it is held back. */
  private static final int UNKNOWNS_IN_PLACE = 3;

  private final MessageSender sender;
  private final Announcer news;
  private final Ticker ticker;
  private final Gates gates;
  private final Pace troublePace;
  private final LaneRules rules;
  private final LaneGate gate;
  private final LaneWindow window;
  private final HeldKeys heldKeys;
  private long resendAt;
  private boolean answeredLately;

  LaneFailures(
      RelayParts parts, LaneRules rules, LaneGate gate, LaneWindow window, HeldKeys heldKeys) {
    this.sender = parts.sender();
    this.news = parts.announcer();
    this.ticker = parts.ticker();
    this.gates = parts.gates();
    this.troublePace = parts.troublePace();
    this.rules = rules;
    this.gate = gate;
    this.window = window;
    this.heldKeys = heldKeys;
    this.resendAt = ticker.nanos();
  }

  /** Something was accepted: there is a broker. */
  void answered() {
    answeredLately = true;
  }

  /** Whether it has waited long enough since nobody answered. */
  boolean mayResend() {
    return ticker.nanos() - resendAt >= 0;
  }

  /** Sorts out a pipe that failed, once every outcome is known or overdue, and closes it. */
  RelayPass sortOut(Pipe broken) {
    RelayPass pass = RelayPass.NOTHING;
    boolean paced = false;
    answeredLately |= broken.hasAnswered();
    for (Slot slot : window.notDone()) {
      if (slot.isFlying()) {
        boolean culprit = broken.failedFirst(slot.flight());
        SendOutcome outcome = slot.outcome();
        pass =
            pass.plus(
                settle(slot, outcome == null ? SafeSend.noOutcome(sender) : outcome, culprit));
        paced |= culprit && gates.isDown(slot.message().destination());
      }
    }
    window.findWaiting();
    broken.close();
    if (broken.hasAnswered() || paced) {
      troublePace.reset();
    } else {
      resendAt = ticker.nanos() + troublePace.next().toNanos();
    }
    return pass;
  }

  private RelayPass settle(Slot slot, SendOutcome outcome, boolean culprit) {
    gates.heardInPipe(slot.message(), outcome, culprit);
    boolean stuck = culprit && outcome instanceof Unknown && countsAsStuck(slot);
    if (outcome instanceof Accepted) {
      slot.done(rules.after(slot.claim(), outcome));
    } else if (!(outcome instanceof Unknown unknown) || stuck) {
      holdOrSetAside(slot, rules.after(slot.claim(), outcome));
    } else if (heldKeys.contains(slot.key())) {
      slot.done(rules.behind(slot.claim()));
    } else {
      Verdict again = rules.inPlace(slot.claim(), unknown);
      slot.again();
      news.signal(again.signal());
      return RelayPass.settled(List.of(again), Set.of());
    }
    return RelayPass.NOTHING;
  }

  /** Its key waits behind it; when its destination is shut, that destination's messages all do. */
  private void holdOrSetAside(Slot slot, Verdict verdict) {
    if (verdict.settlement() instanceof Settlement.Aside) {
      gate.noteAside(slot.message().destination());
      slot.done(verdict);
    } else {
      hold(slot, verdict);
    }
  }

  /** A broker that answers others but never this one must not hold up the lane. */
  private boolean countsAsStuck(Slot slot) {
    int unknowns = slot.countUnknown();
    if (unknowns == 1) {
      answeredLately = false;
    }
    return unknowns >= UNKNOWNS_IN_PLACE && answeredLately;
  }

  /** Its key waits behind it. */
  void hold(Slot slot, Verdict verdict) {
    slot.done(verdict);
    if (heldKeys.hold(slot.key())) {
      news.signal(new OutboxSignal.KeyHeld(Subject.of(slot.message()), slot.key()));
    }
  }
}
