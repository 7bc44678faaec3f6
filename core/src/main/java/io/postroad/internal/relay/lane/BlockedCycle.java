package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.Pace;
import io.postroad.internal.relay.BatchSize;
import io.postroad.internal.relay.MessageResult;
import io.postroad.internal.relay.Permit;
import io.postroad.internal.relay.SafeSend;
import io.postroad.internal.relay.SettleRules;
import io.postroad.internal.relay.lane.LaneSession.InFlightSend;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends the blocked messages of a lane when they are due, in order per key: TAKE, DISPATCH, SETTLE,
 * one batch at a time. The send window does not wait for it. The store records attempts before the
 * send, so a message that kills its relay uses them up.
 *
 * <p>After a crash messages are sent alone, so that no other message is blamed for it. That ends
 * when as many in a row as can be in flight were sent that no node was sending in a crash: keys
 * with a steady flow of messages would never be free again at that pace.
 *
 * <p>Keys that got no answer while others did are tried together, each with its first message. When
 * only such messages are without an outcome, the batch ends early, so that other keys do not wait
 * for the whole timeout of the sender each time.
 *
 * <p>Used by one thread.
 */
final class BlockedCycle {
  private final OwnedLane lane;
  private final LaneState state;
  private final LaneAdmission admission;
  private final SettleRules rules;
  private final Consumer<Set<OrderKey>> whenFreed;
  private final Pace pollPace;
  private final BatchSize size;
  private final List<LaneMessage> batch = new ArrayList<>();
  private @Nullable LaneSession session;
  private boolean oneByOne;
  private int unsuspected;
  private long pollAt;
  private boolean foundSome;

  /** How long to wait for keys that got no answer before; longer each time they get none. */
  private long patience;

  /**
   * Makes a cycle that has taken no message yet.
   *
   * @param whenFreed called with keys that have no blocked message any more
   */
  BlockedCycle(
      OwnedLane lane,
      LaneState state,
      LaneAdmission admission,
      SettleRules rules,
      Consumer<Set<OrderKey>> whenFreed) {
    this.lane = lane;
    this.state = state;
    this.admission = admission;
    this.rules = rules;
    this.whenFreed = whenFreed;
    this.pollPace = lane.parts().pollPace();
    this.patience = Overtaken.patience(lane.sender());
    this.size = new BatchSize(lane.options().batch(), lane.options().maxBatch());
    this.oneByOne = lane.lease().crashedNode().isPresent();
    this.pollAt = lane.ticker().nanos();
  }

  int unsettled() {
    return batch.size();
  }

  void pollSoon() {
    pollPace.reset();
    pollAt = lane.ticker().nanos();
  }

  /** Returns whether the last poll found no message that was due. */
  boolean isIdle() {
    return batch.isEmpty() && !foundSome;
  }

  void close() {
    if (session != null) {
      session.close();
      session = null;
    }
  }

  RelayPass runOnce() {
    if (!batch.isEmpty()) {
      return settle();
    }
    if (!state.hasBlockedKeys()) {
      close();
      return RelayPass.NOTHING;
    }
    return lane.ticker().nanos() - pollAt < 0 || !lane.deadline().mayHandOver()
        ? RelayPass.NOTHING
        : take();
  }

  private RelayPass take() {
    int limit = oneByOne ? 1 : size.current();
    List<Claim> claims =
        lane.events()
            .ask("take blocked", () -> lane.store().blockedMessages().take(lane.lease(), limit));
    foundSome = !claims.isEmpty();
    if (!oneByOne) {
      size.adapt(limit, claims, Claim::message);
    }
    if (claims.isEmpty()) {
      // There may be messages that are not due or not written yet, or wait for a destination.
      pollAt = lane.ticker().nanos() + pollPace.next().toNanos();
      return RelayPass.NOTHING;
    }
    claims.forEach(lane.events()::claimed);
    claims.forEach(claim -> batch.add(new LaneMessage(claim, null)));
    boolean suspected = claims.get(0).expiredOwner().isPresent();
    if (lane.deadline().mayHandOver()) {
      dispatch();
      if (oneByOne && batch.get(0).send() != null) {
        unsuspected = suspected ? 0 : unsuspected + 1;
        oneByOne = unsuspected < lane.options().maxInFlight();
      }
    } else {
      // This node stood still while it took them.
      batch.forEach(each -> each.settled(rules.notSent(each.claim(), Permit.LANE_DEADLINE)));
      if (suspected) {
        // With this settlement the store forgets that a node was sending the message in a crash.
        oneByOne = true;
        unsuspected = 0;
      }
    }
    return RelayPass.NOTHING.plusClaimed(claims.size(), true);
  }

  private void dispatch() {
    admission.beginBlocked();
    List<LaneMessage> sendable = new ArrayList<>();
    for (LaneMessage message : batch) {
      Permit permit = admission.askBlocked(message);
      if (permit.isSend()) {
        sendable.add(message);
      } else {
        message.settled(rules.notSent(message.claim(), permit));
      }
    }
    if (!sendable.isEmpty()) {
      if (session == null) {
        session = new LaneSession(lane, "-held");
      }
      session.send(sendable);
    }
  }

  /** Settles the batch once every outcome is known, or is not waited for any more. */
  RelayPass settle() {
    if (session != null && !session.isEmpty() && isWorthWaiting(session)) {
      return RelayPass.NOTHING;
    }
    Overtaken overtaken = new Overtaken(batch, lane.ticker().nanos(), lane.sender());
    List<MessageResult> results =
        batch.stream().map(message -> resultOf(message, overtaken)).toList();
    List<Settlement> settlements = results.stream().map(MessageResult::settlement).toList();
    Set<OrderKey> emptied =
        lane.events()
            .ask(
                "settle blocked",
                () -> lane.store().blockedMessages().settle(lane.lease(), settlements));
    batch.clear();
    if (session != null && (session.hasFailed() || session.hasClosedKeys())) {
      close();
    }
    results.forEach(result -> lane.events().settled(result, Set.of()));
    pollSoon();
    whenFreed.accept(state.settledBlocked(emptied, blockedDestinations(settlements)));
    return MessageResult.counted(results, Set.of());
  }

  private static Set<String> blockedDestinations(List<Settlement> settlements) {
    return settlements.stream()
        .filter(Settlement.Blocked.class::isInstance)
        .map(settlement -> settlement.claim().message().destination())
        .collect(Collectors.toSet());
  }

  private boolean isWorthWaiting(LaneSession current) {
    boolean allSettled = batch.stream().allMatch(LaneMessage::isSettled);
    return !allSettled && !isAnyOverdue(current) && !isOnlyUnanswered(current);
  }

  private boolean isAnyOverdue(LaneSession current) {
    long now = lane.ticker().nanos();
    long timeout = lane.sender().timeout().toNanos();
    for (LaneMessage message : batch) {
      if (message.isOverdue(now, timeout)) {
        current.giveUp(message.send());
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether only outcomes of keys are missing that got none before, and these had some
   * time; then the session does not wait for them any more.
   */
  private boolean isOnlyUnanswered(LaneSession current) {
    List<InFlightSend> missing = new ArrayList<>();
    for (LaneMessage message : batch) {
      InFlightSend send = message.send();
      if (send != null && send.outcome() == null) {
        if (!state.isUnanswered(message.key())
            || !send.isOverdue(lane.ticker().nanos(), patience)) {
          return false;
        }
        missing.add(send);
      }
    }
    missing.forEach(current::abandon);
    patience = Math.min(2 * patience, lane.sender().timeout().toNanos());
    return true;
  }

  private MessageResult resultOf(LaneMessage message, Overtaken overtaken) {
    if (!message.isSettled()) {
      SendOutcome known = message.outcome();
      SendOutcome outcome = known != null ? known : SafeSend.noOutcome(lane.sender());
      message.settled(
          outcome instanceof Unknown unknown && isOfItsKeyOnly(message, unknown, overtaken)
              ? keyUnanswered(message, unknown)
              : after(message, outcome));
    }
    return message.result();
  }

  private boolean isOfItsKeyOnly(LaneMessage message, Unknown unknown, Overtaken overtaken) {
    InFlightSend send = message.send();
    return unknown.onlyItsKey()
        || state.isUnanswered(message.key())
        || (send != null && overtaken.contains(send));
  }

  private MessageResult keyUnanswered(LaneMessage message, Unknown unknown) {
    OrderKey key = message.key();
    lane.breaker().heardInSession(message.message(), unknown, false);
    if (session != null) {
      session.closeFor(key);
    }
    InFlightSend send = message.send();
    Duration waited =
        send != null && send.outcome() == null ? lane.ticker().since(send.sentAt()) : Duration.ZERO;
    int times = state.countUnanswered(key);
    return rules.keyUnanswered(message.claim(), unknown, times, state.unansweredKeys(), waited);
  }

  private MessageResult after(LaneMessage message, SendOutcome outcome) {
    boolean failedFirst = session != null && session.failedFirst(message.send());
    lane.breaker().heardInSession(message.message(), outcome, failedFirst);
    if (!(outcome instanceof Unknown) && state.answered(message.key())) {
      patience = Overtaken.patience(lane.sender());
    }
    return rules.after(message.claim(), outcome);
  }
}
