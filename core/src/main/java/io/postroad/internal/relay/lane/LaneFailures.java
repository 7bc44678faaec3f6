package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.relay.Announcer;
import io.postroad.internal.relay.Gates;
import io.postroad.internal.relay.Overtaken;
import io.postroad.internal.relay.RelayParts;
import io.postroad.internal.relay.SafeSend;
import io.postroad.internal.relay.Verdict;
import io.postroad.outbox.OutboxSignal.Subject;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What becomes of the messages of a lane's {@link Pipe} after one of them was not accepted: those
 * that were rejected are held back or set aside, with the followers of their keys; those that are
 * unknown are sent again from where they are, in order. Those that got no answer although later
 * ones were accepted are held back, too, with the followers of their keys: a part of their
 * destination cannot be reached, and the others do not wait for it.
 *
 * <p>Used by one thread.
 */
final class LaneFailures {
  /** Unknown outcomes of one message, while others got an answer, after which it is held back. */
  private static final int UNKNOWNS_IN_PLACE = 3;

  private static final String NO_ANSWER =
      "no outcome from sender '%s' yet, while messages that it got later were accepted";

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
    Overtaken overtaken = overtaken();
    Set<String> answering = answering();
    for (Slot slot : window.notDone()) {
      Pipe.Flight flight = slot.flight();
      if (flight != null) {
        SendOutcome known = flight.outcome();
        SendOutcome outcome = known == null ? SafeSend.noOutcome(sender) : known;
        if (outcome instanceof Unknown unknown
            && (unknown.onlyItsKey() || overtaken.contains(flight))) {
          block(slot, unknown, answering);
          continue;
        }
        boolean culprit = broken.failedFirst(flight);
        pass = pass.plus(settle(slot, outcome, culprit));
        paced |= culprit && gates.isDown(slot.message().destination());
      }
    }
    window.findWaiting();
    broken.close();
    if (broken.hasAnswered() || broken.isRetired() || paced) {
      troublePace.reset();
    } else {
      resendAt = ticker.nanos() + troublePace.next().toNanos();
    }
    return pass;
  }

  /**
   * Stops waiting for messages without an answer, if later ones were accepted some time ago, so
   * that the others go on. Should they still arrive, what is sent of their keys from now on repeats
   * them, in order.
   */
  void leaveOvertaken(Pipe pipe) {
    Overtaken overtaken = overtaken();
    Set<String> answering = answering();
    for (Slot slot : window.notDone()) {
      Pipe.Flight flight = slot.flight();
      if (flight != null
          && flight.outcome() == null
          && overtaken.contains(flight)
          && pipe.abandon(flight)) {
        pipe.closeFor(slot.key());
        block(slot, new Unknown(NO_ANSWER.formatted(sender.name())), answering);
      }
    }
  }

  private Overtaken overtaken() {
    return Overtaken.among(
        StreamSupport.stream(window.notDone().spliterator(), false)
            .flatMap(slot -> Stream.ofNullable(slot.flight())),
        ticker.nanos(),
        sender);
  }

  /** Finds the destinations that have accepted a message which is not settled yet. */
  private Set<String> answering() {
    return StreamSupport.stream(window.notDone().spliterator(), false)
        .filter(slot -> slot.flight() != null && slot.outcome() instanceof Accepted)
        .map(slot -> slot.message().destination())
        .collect(Collectors.toSet());
  }

  /**
   * Blocks the key of a message without an answer, while its destination answers others or the
   * sender knows that it does.
   */
  void block(Slot slot, Unknown unknown) {
    block(slot, unknown, Set.of(slot.message().destination()));
  }

  /**
   * Blocks the key of a message without an answer. Counts that as a failure of its destination
   * where only other destinations have answered.
   */
  private void block(Slot slot, Unknown unknown, Set<String> answering) {
    boolean blamed = !unknown.onlyItsKey() && !answering.contains(slot.message().destination());
    gates.heardInPipe(slot.message(), unknown, blamed);
    if (heldKeys.contains(slot.key())) {
      slot.done(rules.behind(slot.claim()));
    } else {
      hold(slot, rules.blocked(slot.claim(), unknown, heldKeys, Duration.ZERO));
    }
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
      return Verdict.counted(List.of(again), Set.of());
    }
    return RelayPass.NOTHING;
  }

  /** Its key waits behind it; when its destination is shut, that destination's messages all do. */
  private void holdOrSetAside(Slot slot, Verdict verdict) {
    if (verdict.settlement() instanceof Settlement.Blocked) {
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
