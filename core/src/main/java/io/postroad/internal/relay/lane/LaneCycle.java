package io.postroad.internal.relay.lane;

import io.postroad.internal.relay.BatchSize;
import io.postroad.internal.relay.MessageResult;
import io.postroad.internal.relay.Permit;
import io.postroad.internal.relay.SettleRules;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LanePosition;
import io.postroad.spi.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One pass over a lane that this node owns: SETTLE known outcomes, READ on, DISPATCH in order. The
 * sends of one pass are in flight while the next pass works.
 *
 * <p>{@link LaneState} holds the state of the lane, {@link LaneAdmission} decides which messages
 * may be sent, {@link LaneSends} sends them and takes their outcomes, {@link BlockedCycle} sends
 * the blocked ones.
 *
 * <p>Used by one thread. After a crash the next owner finds:
 *
 * <ul>
 *   <li>after READ: the same messages to read again.
 *   <li>after DISPATCH: the same; messages that the broker already has arrive twice, in the same
 *       order. At most {@link RelayOptions#maxInFlight()} messages do.
 *   <li>after SETTLE (the advance): nothing to repeat. Blocked messages and position are one
 *       commit, or several with the position last where the messages are large.
 * </ul>
 */
final class LaneCycle {
  /** The shortest time between two advances: a position that is lost only repeats messages. */
  private static final Duration ADVANCE_EVERY = Duration.ofMillis(20);

  private static final int SWEEPS_PER_REFRESH = 30;

  /** Crashes without progress after which messages are sent alone, the attempt recorded before. */
  private static final int ALONE_AFTER = 2;

  private final OwnedLane lane;
  private final SettleRules rules;
  private final LaneState state;
  private final LaneAdmission admission;
  private final LaneSends sends;
  private final BlockedCycle blocked;
  private final BlockedDestinations destinations;
  private final LaneReader reader;
  private final BatchSize batch;
  private long advancedAt;
  private long sweptAt;
  private long sweeps;
  private long decisionsSeen;
  private boolean mayBeDue;

  LaneCycle(OwnedLane lane) {
    this.lane = lane;
    boolean afterCrash = lane.lease().crashedNode().isPresent();
    this.rules = lane.parts().rules(afterCrash ? lane.sender().timeout() : Duration.ZERO);
    this.state = new LaneState(lane.lease().position());
    int alone = lane.lease().crashes() >= ALONE_AFTER ? lane.options().maxInFlight() : 0;
    this.admission = new LaneAdmission(state, lane.breaker(), rules, alone);
    this.sends = new LaneSends(lane, state, rules);
    this.blocked = new BlockedCycle(lane, state, admission, rules, sends::freed);
    this.destinations = new BlockedDestinations(lane, state, rules, blocked);
    this.reader = new LaneReader(lane, state);
    this.batch = new BatchSize(lane.options().batch(), lane.options().maxBatch());
    this.advancedAt = lane.ticker().nanos();
    if (alone > 0) {
      // The first messages go through another session; sends of the last owner must end before.
      sends.open();
    }
  }

  /** Runs one pass. Throws when the store fails; the next pass continues where this one stopped. */
  RelayPass runOnce() {
    RelayPass done = settle(false);
    sweep();
    done = done.plus(admitDue());
    destinations.release();
    done = done.plus(blocked.runOnce());
    if (sends.mayHandOver()) {
      done = done.plus(read());
      // This node may have stood still while it read.
      if (lane.deadline().mayHandOver()) {
        dispatch();
      }
    }
    return done;
  }

  /** Settles known outcomes; neither reads nor sends. */
  RelayPass finish() {
    RelayPass done = settle(true);
    return blocked.unsettled() == 0 ? done : done.plus(blocked.settle());
  }

  /** Returns how many messages were read and are not written as settled. */
  int unsettled() {
    return state.size() + blocked.unsettled();
  }

  /** Returns whether a message that was read is still to be sent. */
  boolean hasWaiting() {
    return state.hasWaiting();
  }

  boolean isInFlight() {
    return blocked.unsettled() > 0 || sends.isInFlight();
  }

  /** Returns how long the caller may wait at most before the next pass. */
  Duration longestWait() {
    return isInFlight() || !state.settled().isEmpty() ? ADVANCE_EVERY : lane.options().sweepEvery();
  }

  /** Closes the sessions; sends in flight have an unknown outcome. */
  void close() {
    reader.close();
    sends.close();
    blocked.close();
  }

  private RelayPass read() {
    int asked = batch.current();
    if (isWindowFull()) {
      destinations.lookAhead(reader);
      return RelayPass.NOTHING;
    }
    long began = lane.ticker().nanos();
    LaneBatch read;
    try {
      read = lane.events().ask("read", () -> reader.next(asked));
    } catch (RuntimeException | Error failed) {
      batch.failed();
      throw failed;
    }
    int size = read.entries().size();
    lane.events()
        .signal(new OutboxSignal.Polled(lane.options().name(), size, lane.ticker().since(began)));
    state.read(read);
    batch.adapt(asked, read.entries(), LaneEntry::message);
    if (read.full()) {
      reader.readAhead(batch.current());
    }
    return RelayPass.NOTHING.plusClaimed(size, read.full());
  }

  /** Returns whether the send window has no room for another batch. */
  private boolean isWindowFull() {
    return lane.options().maxInFlight(batch.most()) - state.size() < batch.current();
  }

  /** Sends the messages that may be sent, in order; the others wait or are blocked. */
  private void dispatch() {
    List<LaneMessage> waiting = state.takeWaiting();
    List<LaneMessage> sendable = new ArrayList<>(waiting.size());
    admission.begin(waiting);
    for (LaneMessage message : waiting) {
      Permit permit = admission.ask(message);
      if (permit.isSend()) {
        sendable.add(message);
      } else if (permit != Permit.WAIT) {
        sends.settle(message, rules.notSent(message.claim(), permit));
      }
    }
    if (!sendable.isEmpty()) {
      sends.send(sendable);
    }
    if (admission.hasStaying()) {
      state.findWaiting();
    }
  }

  /** Takes outcomes, and writes how far the lane is settled. */
  private RelayPass settle(boolean atOnce) {
    RelayPass done = sends.takeOutcomes(isWindowFull());
    int size = state.settled().size();
    boolean worthAnAdvance =
        atOnce
            || size >= lane.options().maxInFlight(batch.most()) / 2
            || lane.ticker().since(advancedAt).compareTo(ADVANCE_EVERY) >= 0;
    return size > 0 && worthAnAdvance ? done.plus(advance()) : done;
  }

  private RelayPass advance() {
    List<LaneMessage> settled = state.settled();
    LanePosition upTo = settled.get(settled.size() - 1).position();
    List<MessageResult> results = new ArrayList<>(settled.size());
    List<Settlement> toBlock = new ArrayList<>();
    for (LaneMessage message : settled) {
      MessageResult result = message.result();
      results.add(result);
      if (!(result.settlement() instanceof Settlement.Delivered)) {
        toBlock.add(result.settlement());
      }
    }
    lane.events().run("advance", () -> lane.store().log().advance(lane.lease(), upTo, toBlock));
    advancedAt = lane.ticker().nanos();
    state.advanced();
    results.forEach(result -> lane.events().settled(result, Set.of()));
    if (toBlock.stream().anyMatch(settlement -> !(settlement instanceof Settlement.Blocked))) {
      blocked.pollSoon();
    }
    return MessageResult.counted(results, Set.of());
  }

  /**
   * Admits scheduled messages: after a sweep one batch per pass until none is due, so that reading
   * goes on between the batches.
   */
  private RelayPass admitDue() {
    if (!mayBeDue) {
      return RelayPass.NOTHING;
    }
    int admitted =
        lane.events()
            .tryAsk(
                "admit",
                0,
                () -> lane.store().log().admitDue(lane.lease(), lane.options().maxBatch()));
    mayBeDue = admitted > 0;
    return RelayPass.NOTHING.plusClaimed(0, mayBeDue);
  }

  /**
   * Reads what operators and the time have changed. The blocked keys, which may be many, are read
   * after operator decisions, and every 30 sweeps as a safety net.
   */
  private void sweep() {
    if (sweeps > 0 && lane.ticker().since(sweptAt).compareTo(lane.options().sweepEvery()) < 0) {
      return;
    }
    destinations.readPauses(sweeps == 0);
    mayBeDue = true;
    long decisions =
        lane.events()
            .ask("decisions", () -> lane.store().blockedMessages().decisions(lane.lease()));
    if (sweeps % SWEEPS_PER_REFRESH == 0) {
      destinations.find();
    }
    if (sweeps % SWEEPS_PER_REFRESH == 0 || decisions != decisionsSeen) {
      sends.freed(
          state.refresh(
              lane.events()
                  .ask("blocked keys", () -> lane.store().blockedMessages().keys(lane.lease()))));
      blocked.pollSoon();
      decisionsSeen = decisions;
    }
    sweptAt = lane.ticker().nanos();
    sweeps++;
  }
}
