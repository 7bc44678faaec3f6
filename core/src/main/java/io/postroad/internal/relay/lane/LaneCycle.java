package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.Announcer;
import io.postroad.internal.relay.BatchSize;
import io.postroad.internal.relay.Gates;
import io.postroad.internal.relay.Overtaken;
import io.postroad.internal.relay.RelayParts;
import io.postroad.internal.relay.Verdict;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LanePosition;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.Settlement;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One pass over a lane that this node owns: SETTLE what has come back, READ on, DISPATCH in order.
 * The sends of one pass are in flight while the next pass works.
 *
 * <p>Order through failures: a {@link Pipe} takes nothing more after its first failure. When it is
 * empty, rejected messages and the followers of their keys are held back, unknown ones are sent
 * again in order through a new pipe. Keys that failed wait in the database; the others do not
 * notice. A message that gets no answer while later ones are accepted blocks its key in the same
 * way, and its pipe goes on.
 *
 * <p>Used by one thread. What a crash leaves:
 *
 * <ul>
 *   <li>after READ: nothing; the next owner reads the same again.
 *   <li>after DISPATCH: the same; what the broker already has arrives twice, in the same order. At
 *       most {@link RelayOptions#maxInFlight()} messages do.
 *   <li>after SETTLE (the advance): nothing to do. Held messages and position are one commit, or
 *       several with the position last where the messages are large.
 * </ul>
 */
final class LaneCycle {
  /** Positions are written down this often at most: a position that is lost only repeats. */
  private static final Duration ADVANCE_EVERY = Duration.ofMillis(20);

  private static final int SWEEPS_PER_REFRESH = 30;

  /** Crashes without progress after which each message goes alone, its attempt written first. */
  private static final int CAREFUL_AFTER = 2;

  private final OrderedStore<?> store;
  private final Tenure tenure;
  private final MessageSender sender;
  private final LongAdder all;
  private final RelayOptions options;
  private final LaneRules rules;
  private final Announcer news;
  private final Ticker ticker;
  private final Waiter waiter;
  private final BatchSize batch;
  private final LaneWindow window = new LaneWindow();
  private final HeldKeys heldKeys = new HeldKeys();
  private final LaneGate gate;
  private final LaneFailures failures;
  private final Gates gates;
  private final HeldCycle held;
  private final LaneReader reader;
  private @Nullable Pipe pipe;
  private long advancedAt;
  private long sweptAt;
  private long sweeps;
  private long decisionsSeen;
  private int careful;
  private boolean mayBeDue;

  LaneCycle(OrderedStore<?> store, Tenure tenure, RelayParts parts, Waiter waiter) {
    this.store = store;
    this.tenure = tenure;
    this.sender = parts.sender();
    this.all = parts.inFlight();
    this.options = parts.options();
    this.rules = new LaneRules(parts, tenure.lease());
    this.news = parts.announcer();
    this.ticker = parts.ticker();
    this.waiter = waiter;
    this.batch = new BatchSize(options.batch(), options.maxBatch());
    this.held = new HeldCycle(store, tenure, parts, rules, heldKeys, waiter);
    this.gate = new LaneGate(store, tenure, parts, rules, window, heldKeys, held);
    this.gates = parts.gates();
    this.failures = new LaneFailures(parts, rules, gate, window, heldKeys);
    this.reader = new LaneReader(store, tenure, parts.threads());
    this.advancedAt = ticker.nanos();
    this.careful = tenure.lease().crashes() >= CAREFUL_AFTER ? options.maxInFlight() : 0;
    if (careful > 0) {
      // Its messages go another way at first; what the last owner has in flight must end before.
      this.pipe = openPipe();
    }
  }

  /** One pass. Throws when the store fails; the next pass goes on where this one stopped. */
  RelayPass runOnce() {
    RelayPass done = settle(Advance.NOW_AND_THEN);
    sweep();
    done = done.plus(admitDue());
    gate.letBack();
    done = done.plus(retryHeld());
    if (mayHandOver()) {
      done = done.plus(read());
      // This node may have stood still while it read.
      if (tenure.mayHandOver()) {
        dispatch();
      }
    }
    return done;
  }

  /** Settles what is known by now, and neither reads nor sends. */
  RelayPass finish() {
    RelayPass done = settle(Advance.AT_ONCE);
    return held.unsettled() == 0 ? done : done.plus(settleHeld(held.settle()));
  }

  private enum Advance {
    NOW_AND_THEN,
    AT_ONCE
  }

  /** Messages that were read and are not written down as settled. */
  int unsettled() {
    return window.size() + held.unsettled();
  }

  /** Whether something that was read is still to be sent. */
  boolean hasWaiting() {
    return window.hasWaiting();
  }

  /** Whether something is with the sender. */
  boolean isFlying() {
    return held.unsettled() > 0 || (pipe != null && !pipe.isEmpty());
  }

  /** How long the caller may wait at most before the next pass. */
  Duration patience() {
    return isFlying() || !window.done().isEmpty() ? ADVANCE_EVERY : options.sweepEvery();
  }

  /** Gives up what is in flight. */
  void close() {
    reader.close();
    if (pipe != null) {
      pipe.close();
      pipe = null;
    }
    held.close();
  }

  private RelayPass read() {
    int asked = batch.current();
    if (room() < asked) {
      gate.lookAhead(reader);
      return RelayPass.NOTHING;
    }
    long began = ticker.nanos();
    LaneBatch read;
    try {
      read = news.ask("read", () -> reader.next(asked));
    } catch (RuntimeException | Error failed) {
      batch.failed();
      throw failed;
    }
    int size = read.entries().size();
    news.signal(new OutboxSignal.Polled(options.name(), size, ticker.since(began)));
    window.add(read.entries());
    batch.adapt(asked, read.entries(), LaneEntry::message);
    if (read.full()) {
      reader.readAhead(batch.current());
    }
    return RelayPass.NOTHING.plusClaimed(size, read.full());
  }

  /** Hands over what waits, in order; what may not go is held back behind what it waits for. */
  private void dispatch() {
    List<Slot> sendable = new ArrayList<>();
    Set<String> staying = new HashSet<>();
    List<Slot> waiting = window.takeWaiting();
    Map<String, Slot> tries = triesInPlace(waiting);
    for (Slot slot : waiting) {
      String destination = slot.message().destination();
      if (!heldKeys.isEmpty() && heldKeys.contains(slot.key())) {
        slot.done(rules.behind(slot.claim()));
        continue;
      }
      // The gate may open at any time: who comes behind one that stays does not pass it.
      boolean stays =
          staying.contains(destination)
              ? slot != tries.get(destination)
              : slot != tries.getOrDefault(destination, slot);
      switch (stays ? LaneGate.Way.STAY : gate.way(slot.message())) {
        case ASIDE -> slot.done(rules.setAside(slot.claim()));
        case STAY -> staying.add(destination);
        case SEND -> {
          if (careful > 0) {
            careful--;
            failures.hold(slot, rules.alone(slot.claim()));
          } else {
            sendable.add(slot);
          }
        }
      }
    }
    if (!sendable.isEmpty()) {
      send(sendable);
    }
    if (!staying.isEmpty()) {
      window.findWaiting();
    }
  }

  /**
   * The messages that may try destinations that are down while their messages stay where they are:
   * of each the one that was in vain least often, and that waits for none of its key. Another one
   * each time, because only a part of the destination may be out of reach.
   */
  private Map<String, Slot> triesInPlace(List<Slot> waiting) {
    if (gates.allOpen()) {
      return Map.of();
    }
    Map<String, Slot> tries = new HashMap<>();
    Set<OrderKey> keys = new HashSet<>();
    for (Slot slot : waiting) {
      String destination = slot.message().destination();
      if (gate.isTriedInPlace(destination) && keys.add(slot.key())) {
        tries.merge(
            destination, slot, (one, other) -> other.unknowns() < one.unknowns() ? other : one);
      }
    }
    return tries;
  }

  private void send(List<Slot> slots) {
    if (pipe == null) {
      pipe = openPipe();
    }
    List<Message> messages = new ArrayList<>(slots.size());
    slots.forEach(slot -> messages.add(slot.message()));
    List<Pipe.Flight> flights = pipe.send(messages);
    for (int i = 0; i < flights.size(); i++) {
      slots.get(i).fly(flights.get(i));
    }
  }

  private Pipe openPipe() {
    return new Pipe(sender, "lane-" + tenure.lease().lane(), waiter, all, ticker);
  }

  private boolean mayHandOver() {
    boolean pipeTakes = pipe == null || !pipe.hasFailed();
    return pipeTakes && failures.mayResend() && tenure.mayHandOver();
  }

  /** Takes in outcomes and writes down how far the lane is settled. */
  private RelayPass settle(Advance when) {
    RelayPass mended = RelayPass.NOTHING;
    if (pipe != null && isHeldUp(pipe)) {
      failures.leaveOvertaken(pipe);
    }
    if (pipe != null && pipe.hasFailed() && (pipe.isEmpty() || isAnyOverdue())) {
      mended = failures.sortOut(pipe);
      pipe = null;
    }
    land();
    return isWorthAdvancing(when) ? mended.plus(advance()) : mended;
  }

  /**
   * Whether nothing more can be handed over until a message gets its outcome: the pipe takes no
   * more, or there is no room to read on.
   */
  private boolean isHeldUp(Pipe current) {
    if (current.hasFailed()) {
      return !current.isEmpty();
    }
    Slot first = window.gatherDone();
    return first != null
        && first.isOverdue(ticker.nanos(), Overtaken.patience(sender))
        && room() < batch.current();
  }

  private int room() {
    return options.maxInFlight(batch.most()) - window.size();
  }

  /**
   * Takes in what was accepted, or blocks its key only, from the first message on; what is behind
   * others can wait.
   */
  private void land() {
    Slot first = window.gatherDone();
    while (first != null && land(first)) {
      first = window.gatherDone();
    }
    if (first != null && first.isWaiting() && !gates.allOpen()) {
      landTries();
    }
    if (pipe != null && first != null && isOverdue(first)) {
      pipe.giveUp(first.flight());
    }
  }

  /** Takes in what tried a destination that is down, while messages before it stay in place. */
  private void landTries() {
    for (Slot slot : window.notDone()) {
      if (slot.outcome() instanceof Accepted) {
        land(slot);
      }
    }
  }

  private boolean land(Slot slot) {
    SendOutcome outcome = slot.outcome();
    if (outcome instanceof Accepted) {
      gates.heard(slot.message(), outcome);
      slot.done(rules.after(slot.claim(), outcome));
      failures.answered();
      return true;
    }
    if (pipe != null && outcome instanceof Unknown unknown && unknown.onlyItsKey()) {
      pipe.closeFor(slot.key());
      failures.block(slot, unknown);
      return true;
    }
    return false;
  }

  private boolean isWorthAdvancing(Advance when) {
    int size = window.done().size();
    return size > 0
        && (when == Advance.AT_ONCE
            || size >= options.maxInFlight(batch.most()) / 2
            || ticker.since(advancedAt).compareTo(ADVANCE_EVERY) >= 0);
  }

  private RelayPass advance() {
    List<Slot> prefix = window.done();
    LanePosition upTo = prefix.get(prefix.size() - 1).position();
    List<Verdict> verdicts = new ArrayList<>(prefix.size());
    List<Settlement> heldBack = new ArrayList<>();
    for (Slot slot : prefix) {
      Settlement settlement = slot.verdict().settlement();
      verdicts.add(slot.verdict());
      if (!(settlement instanceof Settlement.Delivered)) {
        heldBack.add(settlement);
      }
    }
    news.<Boolean>ask(
        "advance",
        () -> {
          store.log().advance(tenure.lease(), upTo, heldBack);
          return true;
        });
    advancedAt = ticker.nanos();
    prefix.clear();
    verdicts.forEach(verdict -> news.settled(verdict, Set.of()));
    if (heldBack.stream().anyMatch(settlement -> !(settlement instanceof Settlement.Blocked))) {
      held.pollSoon();
    }
    return Verdict.counted(verdicts, Set.of());
  }

  private boolean isAnyOverdue() {
    for (Slot slot : window.notDone()) {
      if (isOverdue(slot)) {
        return true;
      }
    }
    return false;
  }

  private boolean isOverdue(Slot slot) {
    return slot.isOverdue(ticker.nanos(), sender.timeout().toNanos());
  }

  private RelayPass retryHeld() {
    return settleHeld(held.runOnce());
  }

  private RelayPass settleHeld(HeldCycle.Outcome outcome) {
    gate.settled(outcome);
    tellFreed(heldKeys.free(outcome.emptied(), window));
    return outcome.pass();
  }

  /**
   * Lets scheduled messages in: from a sweep on one batch per pass until nothing is due, so that
   * reading goes on between the batches.
   */
  private RelayPass admitDue() {
    if (!mayBeDue) {
      return RelayPass.NOTHING;
    }
    int admitted =
        news.tryAsk("admit", 0, () -> store.log().admitDue(tenure.lease(), options.maxBatch()));
    mayBeDue = admitted > 0;
    return RelayPass.NOTHING.plusClaimed(0, mayBeDue);
  }

  /** Now and then, and at first: lets in what is due by now, and looks at what people changed. */
  private void sweep() {
    if (sweeps > 0 && ticker.since(sweptAt).compareTo(options.sweepEvery()) < 0) {
      return;
    }
    gate.look(sweeps == 0);
    mayBeDue = true;
    long decisions = news.ask("decisions", () -> store.blockedMessages().decisions(tenure.lease()));
    if (sweeps % SWEEPS_PER_REFRESH == 0) {
      gate.findAside();
    }
    if (sweeps % SWEEPS_PER_REFRESH == 0 || decisions != decisionsSeen) {
      refreshHeldKeys();
      decisionsSeen = decisions;
    }
    sweptAt = ticker.nanos();
    sweeps++;
  }

  /** There may be many: asked when people changed something, and seldom for what nobody told. */
  private void refreshHeldKeys() {
    Set<OrderKey> inDatabase = news.ask("held keys", () -> store.blockedMessages().keys(tenure.lease()));
    tellFreed(heldKeys.refresh(inDatabase, window));
    held.pollSoon();
  }

  private void tellFreed(Set<OrderKey> keys) {
    if (pipe != null && pipe.isClosedFor(keys)) {
      pipe.retire();
    }
    keys.forEach(key -> news.signal(new OutboxSignal.KeyFreed(options.name(), key)));
  }
}
