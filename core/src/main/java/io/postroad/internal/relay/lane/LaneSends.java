package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.Pace;
import io.postroad.internal.relay.MessageResult;
import io.postroad.internal.relay.Permit;
import io.postroad.internal.relay.SafeSend;
import io.postroad.internal.relay.SettleRules;
import io.postroad.internal.relay.lane.LaneSession.InFlightSend;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.OutboxSignal.Subject;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of the send window in order through one {@link LaneSession} at a time, and
 * settles them in memory by their outcomes.
 *
 * <p>After the first failure a session takes no more messages. When it is empty, rejected messages
 * block their keys, and unknown ones are sent again in order through a new session. A message that
 * gets no answer while later ones are accepted blocks its key, too, and its session goes on: a part
 * of the destination cannot be reached, and other messages do not wait for it.
 *
 * <p>Used by one thread.
 */
final class LaneSends {
  /**
   * Unknown outcomes of one message, while others got an answer, after which its key is blocked.
   */
  private static final int UNKNOWNS_IN_PLACE = 3;

  private static final String NO_ANSWER =
      "no outcome from sender '%s' yet, while messages that it got later were accepted";

  private final OwnedLane lane;
  private final LaneState state;
  private final SettleRules rules;
  private final Pace retryPace = Pace.ofTrouble();
  private @Nullable LaneSession session;
  private long resendAt;
  private boolean answeredLately;

  LaneSends(OwnedLane lane, LaneState state, SettleRules rules) {
    this.lane = lane;
    this.state = state;
    this.rules = rules;
    this.resendAt = lane.ticker().nanos();
  }

  /** Opens a session, which ends the session of an earlier owner. */
  LaneSession open() {
    if (session == null) {
      session = new LaneSession(lane, "");
    }
    return session;
  }

  void send(List<LaneMessage> messages) {
    open().send(messages);
  }

  boolean isInFlight() {
    return session != null && !session.isEmpty();
  }

  /** Returns whether messages may be handed over: by session, pace and deadline of the lane. */
  boolean mayHandOver() {
    return (session == null || !session.hasFailed())
        && lane.ticker().nanos() - resendAt >= 0
        && lane.deadline().mayHandOver();
  }

  /** Closes the session; sends in flight have an unknown outcome. */
  void close() {
    if (session != null) {
      session.close();
      session = null;
    }
  }

  /** Settles a message of the send window, and reports a key that is blocked from now on. */
  void settle(LaneMessage message, MessageResult result) {
    if (state.settle(message, result)) {
      lane.events().signal(new OutboxSignal.KeyHeld(Subject.of(message.message()), message.key()));
    }
  }

  /** Reports keys that are free; messages of a key that the session has closed need another one. */
  void freed(Set<OrderKey> keys) {
    if (session != null && session.isClosedFor(keys)) {
      session.retire();
    }
    keys.forEach(
        key -> lane.events().signal(new OutboxSignal.KeyFreed(lane.options().name(), key)));
  }

  /**
   * Settles messages by the outcomes that are known by now.
   *
   * @param windowFull whether the send window has no room for another read
   */
  RelayPass takeOutcomes(boolean windowFull) {
    RelayPass pass = RelayPass.NOTHING;
    if (session != null && isDelayed(session, windowFull)) {
      abandonOvertaken(session);
    }
    if (session != null && session.hasFailed() && (session.isEmpty() || isAnyOverdue())) {
      pass = endFailed(session);
      session = null;
    }
    LaneMessage first = state.firstUnsettled();
    while (first != null && settleInOrder(first)) {
      first = state.firstUnsettled();
    }
    if (first != null && first.isWaiting() && !lane.breaker().allClosed()) {
      settleProbes();
    }
    if (session != null && first != null && isOverdue(first)) {
      session.giveUp(first.send());
    }
    return pass;
  }

  /** Returns whether no message can be handed over until a send in flight has its outcome. */
  private boolean isDelayed(LaneSession current, boolean windowFull) {
    if (current.hasFailed()) {
      return !current.isEmpty();
    }
    LaneMessage first = state.firstUnsettled();
    return first != null
        && windowFull
        && first.isOverdue(lane.ticker().nanos(), Overtaken.patience(lane.sender()));
  }

  /** Settles a message that was accepted, or whose key alone is blocked; returns whether it was. */
  private boolean settleInOrder(LaneMessage message) {
    SendOutcome outcome = message.outcome();
    if (outcome instanceof Accepted) {
      lane.breaker().heard(message.message(), outcome);
      settle(message, rules.after(message.claim(), outcome));
      answeredLately = true;
      return true;
    }
    if (session != null && outcome instanceof Unknown unknown && unknown.onlyItsKey()) {
      session.closeFor(message.key());
      blockKey(message, unknown, Set.of(message.destination()));
      return true;
    }
    return false;
  }

  /** Settles probes that were accepted, while messages before them stay in the window. */
  private void settleProbes() {
    for (LaneMessage message : state.rest()) {
      if (message.outcome() instanceof Accepted) {
        settleInOrder(message);
      }
    }
  }

  private boolean isAnyOverdue() {
    for (LaneMessage message : state.rest()) {
      if (isOverdue(message)) {
        return true;
      }
    }
    return false;
  }

  private boolean isOverdue(LaneMessage message) {
    return message.isOverdue(lane.ticker().nanos(), lane.sender().timeout().toNanos());
  }

  /** Settles the messages of a failed session, once every outcome is known or overdue. */
  private RelayPass endFailed(LaneSession failed) {
    RelayPass pass = RelayPass.NOTHING;
    boolean probesSetThePace = false;
    answeredLately |= failed.hasAnswered();
    Overtaken overtaken = new Overtaken(state.rest(), lane.ticker().nanos(), lane.sender());
    Set<String> answering = answeringDestinations();
    for (LaneMessage message : state.rest()) {
      InFlightSend send = message.send();
      if (send != null) {
        SendOutcome known = send.outcome();
        SendOutcome outcome = known == null ? SafeSend.noOutcome(lane.sender()) : known;
        if (outcome instanceof Unknown unknown
            && (unknown.onlyItsKey() || overtaken.contains(send))) {
          blockKey(message, unknown, answering);
        } else {
          boolean failedFirst = failed.failedFirst(send);
          pass = pass.plus(settleFailed(message, outcome, failedFirst));
          probesSetThePace |= failedFirst && lane.breaker().isDown(message.destination());
        }
      }
    }
    state.findWaiting();
    failed.close();
    if (failed.hasAnswered() || failed.isRetired() || probesSetThePace) {
      retryPace.reset();
    } else {
      resendAt = lane.ticker().nanos() + retryPace.next().toNanos();
    }
    return pass;
  }

  /**
   * Stops waiting for messages without an answer, if later ones were accepted some time ago, so
   * that the others go on. Should they still arrive, later sends of their keys repeat them, in
   * order.
   */
  private void abandonOvertaken(LaneSession current) {
    Overtaken overtaken = new Overtaken(state.rest(), lane.ticker().nanos(), lane.sender());
    Set<String> answering = answeringDestinations();
    for (LaneMessage message : state.rest()) {
      InFlightSend send = message.send();
      if (send != null
          && send.outcome() == null
          && overtaken.contains(send)
          && current.abandon(send)) {
        current.closeFor(message.key());
        blockKey(message, new Unknown(NO_ANSWER.formatted(lane.sender().name())), answering);
      }
    }
  }

  /** Finds the destinations that have accepted a message which is not settled yet. */
  private Set<String> answeringDestinations() {
    Set<String> answering = new HashSet<>();
    for (LaneMessage message : state.rest()) {
      if (message.outcome() instanceof Accepted) {
        answering.add(message.destination());
      }
    }
    return answering;
  }

  /**
   * Blocks the key of a message without an answer. Counts that as a failure of its destination
   * where only other destinations have answered.
   */
  private void blockKey(LaneMessage message, Unknown unknown, Set<String> answering) {
    boolean isFailure = !unknown.onlyItsKey() && !answering.contains(message.destination());
    lane.breaker().heardInSession(message.message(), unknown, isFailure);
    OrderKey key = message.key();
    if (state.isBlocked(key)) {
      settle(message, rules.notSent(message.claim(), Permit.BLOCKED_KEY));
    } else {
      int times = state.countUnanswered(key);
      settle(
          message,
          rules.keyUnanswered(
              message.claim(), unknown, times, state.unansweredKeys(), Duration.ZERO));
    }
  }

  private RelayPass settleFailed(LaneMessage message, SendOutcome outcome, boolean failedFirst) {
    lane.breaker().heardInSession(message.message(), outcome, failedFirst);
    boolean stuck = failedFirst && outcome instanceof Unknown && isStuck(message);
    if (!(outcome instanceof Unknown unknown) || stuck) {
      settle(message, rules.after(message.claim(), outcome));
    } else if (state.isBlocked(message.key())) {
      settle(message, rules.notSent(message.claim(), Permit.BLOCKED_KEY));
    } else {
      MessageResult again = rules.unknown(message.claim(), unknown);
      state.sendAgain(message);
      lane.events().signal(again.signal());
      return MessageResult.counted(List.of(again), Set.of());
    }
    return RelayPass.NOTHING;
  }

  /** Returns whether a broker answers others but never this message, which must not delay them. */
  private boolean isStuck(LaneMessage message) {
    int unknowns = message.countUnknown();
    if (unknowns == 1) {
      answeredLately = false;
    }
    return unknowns >= UNKNOWNS_IN_PLACE && answeredLately;
  }
}
