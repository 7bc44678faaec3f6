package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.Announcer;
import io.postroad.internal.relay.BatchSize;
import io.postroad.internal.relay.Gates;
import io.postroad.internal.relay.Overtaken;
import io.postroad.internal.relay.RelayParts;
import io.postroad.internal.relay.SafeSend;
import io.postroad.internal.relay.Verdict;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.Settlement;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends what was held back, when it is due, in order per key: TAKE, DISPATCH, SETTLE, one batch at
 * a time and beside the lane, which never waits for it. Attempts are written down before the send,
 * so a message that kills its relay uses them up. Those that were being sent in a crash come alone
 * from the store, and after a crash the others go alone, too, so that no other message is blamed.
 * That ends when as many in a row as can be in flight went that were not being sent in a crash:
 * keys with a steady flow of messages would never be free again at that pace.
 *
 * <p>Keys that got no answer while others did are tried together, each with its first message. When
 * nothing but such messages is without an outcome, the batch ends early, so that other keys do not
 * wait for a sender's whole timeout each time.
 *
 * <p>Used by one thread.
 */
final class HeldCycle {

  /**
   * What one pass did.
   *
   * @param emptied keys of which the store holds nothing back any more
   * @param destinationsAside those that messages wait for now
   */
  record Outcome(RelayPass pass, Set<OrderKey> emptied, Set<String> destinationsAside) {
    static final Outcome NOTHING = new Outcome(RelayPass.NOTHING, Set.of(), Set.of());
  }

  /** A message that was taken: in flight, or decided without sending. */
  private static final class Taken {
    final Claim claim;
    Pipe.@Nullable Flight flight;
    @Nullable Verdict verdict;

    Taken(Claim claim) {
      this.claim = claim;
    }

    OrderKey key() {
      return OrderKey.of(claim.message());
    }
  }

  private final OrderedStore<?> store;
  private final Tenure tenure;
  private final MessageSender sender;
  private final LongAdder all;
  private final RelayOptions options;
  private final LaneRules rules;
  private final Gates gates;
  private final Announcer news;
  private final Ticker ticker;
  private final HeldKeys heldKeys;
  private final Waiter waiter;
  private final Pace pollPace;
  private final BatchSize size;
  private final List<Taken> batch = new ArrayList<>();
  private @Nullable Pipe pipe;
  private boolean oneByOne;
  private int unsuspected;
  private long pollAt;
  private boolean foundSome;

  /** How long keys are waited for that got no answer before; longer each time they get none. */
  private long patience;

  HeldCycle(
      OrderedStore<?> store,
      Tenure tenure,
      RelayParts parts,
      LaneRules rules,
      HeldKeys heldKeys,
      Waiter waiter) {
    this.heldKeys = heldKeys;
    this.patience = Overtaken.patience(parts.sender());
    this.store = store;
    this.tenure = tenure;
    this.sender = parts.sender();
    this.all = parts.inFlight();
    this.options = parts.options();
    this.rules = rules;
    this.gates = parts.gates();
    this.news = parts.announcer();
    this.ticker = parts.ticker();
    this.waiter = waiter;
    this.pollPace = parts.pollPace();
    this.size = new BatchSize(options.batch(), options.maxBatch());
    this.oneByOne = tenure.lease().crashedNode().isPresent();
    this.pollAt = ticker.nanos();
  }

  int unsettled() {
    return batch.size();
  }

  void pollSoon() {
    pollPace.reset();
    pollAt = ticker.nanos();
  }

  /** Whether nothing was due when it last looked, or it has not looked yet. */
  boolean isIdle() {
    return batch.isEmpty() && !foundSome;
  }

  void close() {
    if (pipe != null) {
      pipe.close();
      pipe = null;
    }
  }

  Outcome runOnce() {
    if (!batch.isEmpty()) {
      return settle();
    }
    if (heldKeys.isEmpty()) {
      close();
      return Outcome.NOTHING;
    }
    return ticker.nanos() - pollAt < 0 || !tenure.mayHandOver() ? Outcome.NOTHING : take();
  }

  private Outcome take() {
    int limit = oneByOne ? 1 : size.current();
    List<Claim> claims = news.ask("take held", () -> store.blockedMessages().take(tenure.lease(), limit));
    foundSome = !claims.isEmpty();
    if (!oneByOne) {
      size.adapt(limit, claims, Claim::message);
    }
    if (claims.isEmpty()) {
      // Says nothing about those that are not due yet, not written down yet, or set aside.
      pollAt = ticker.nanos() + pollPace.next().toNanos();
      return Outcome.NOTHING;
    }
    claims.forEach(news::claimed);
    if (tenure.mayHandOver()) {
      dispatch(claims);
    } else {
      // This node stood still while it took them.
      claims.forEach(this::giveBack);
    }
    if (oneByOne && batch.get(0).flight != null) {
      unsuspected = claims.get(0).expiredOwner().isPresent() ? 0 : unsuspected + 1;
      oneByOne = unsuspected < options.maxInFlight();
    }
    return new Outcome(RelayPass.NOTHING.plusClaimed(claims.size(), true), Set.of(), Set.of());
  }

  private void giveBack(Claim claim) {
    Taken taken = new Taken(claim);
    taken.verdict = rules.tooLate(claim);
    batch.add(taken);
    if (claim.expiredOwner().isPresent()) {
      // The store forgets with this that a crash was in the middle of it.
      oneByOne = true;
      unsuspected = 0;
    }
  }

  private void dispatch(List<Claim> claims) {
    Set<OrderKey> stopped = new HashSet<>();
    List<Taken> sendable = new ArrayList<>();
    for (Claim claim : claims) {
      Taken taken = new Taken(claim);
      batch.add(taken);
      OrderKey key = OrderKey.of(claim.message());
      if (stopped.contains(key)) {
        taken.verdict = rules.behind(claim);
      } else if (rules.isExhausted(claim)) {
        taken.verdict = rules.exhausted(claim);
        stopped.add(key);
      } else {
        switch (gates.ask(claim.message())) {
          case FREE -> {
            sendable.add(taken);
            if (heldKeys.isUnanswered(key)) {
              stopped.add(key);
            }
          }
          case PROBE -> {
            sendable.add(taken);
            stopped.add(key);
          }
          case SHUT -> {
            taken.verdict = rules.setAside(claim);
            stopped.add(key);
          }
        }
      }
    }
    if (sendable.isEmpty()) {
      return;
    }
    if (pipe == null) {
      pipe = new Pipe(sender, "lane-" + tenure.lease().lane() + "-held", waiter, all, ticker);
    }
    List<Pipe.Flight> flights =
        pipe.send(sendable.stream().map(taken -> taken.claim.message()).toList());
    for (int i = 0; i < flights.size(); i++) {
      sendable.get(i).flight = flights.get(i);
    }
  }

  /** Settles the batch once every outcome is known, or is not going to be. */
  Outcome settle() {
    if (pipe != null && !pipe.isEmpty() && !isOverdue() && !leftUnanswered(pipe)) {
      return Outcome.NOTHING;
    }
    Overtaken overtaken =
        Overtaken.among(
            batch.stream().flatMap(taken -> Stream.ofNullable(taken.flight)),
            ticker.nanos(),
            sender);
    List<Verdict> verdicts = batch.stream().map(taken -> verdict(taken, overtaken)).toList();
    List<Settlement> settlements = verdicts.stream().map(Verdict::settlement).toList();
    Set<OrderKey> emptied =
        news.ask("settle held", () -> store.blockedMessages().settle(tenure.lease(), settlements));
    batch.clear();
    if (pipe != null && (pipe.hasFailed() || pipe.hasClosedKeys())) {
      close();
    }
    verdicts.forEach(verdict -> news.settled(verdict, Set.of()));
    pollSoon();
    return new Outcome(
        Verdict.counted(verdicts, Set.of()), emptied, destinationsSetAside(settlements));
  }

  private static Set<String> destinationsSetAside(List<Settlement> settlements) {
    return settlements.stream()
        .filter(Settlement.Blocked.class::isInstance)
        .map(settlement -> settlement.claim().message().destination())
        .collect(Collectors.toSet());
  }

  private boolean isOverdue() {
    long now = ticker.nanos();
    long timeout = sender.timeout().toNanos();
    for (Taken taken : batch) {
      if (taken.flight != null && taken.flight.isOverdue(now, timeout)) {
        if (pipe != null) {
          pipe.giveUp(taken.flight);
        }
        return true;
      }
    }
    return false;
  }

  /**
   * Whether nothing is missing but outcomes of keys that got none before, and they had some time;
   * they are not waited for any more.
   */
  private boolean leftUnanswered(Pipe current) {
    List<Pipe.Flight> missing = new ArrayList<>();
    for (Taken taken : batch) {
      if (taken.flight != null && taken.flight.outcome() == null) {
        if (!heldKeys.isUnanswered(taken.key())
            || !taken.flight.isOverdue(ticker.nanos(), patience)) {
          return false;
        }
        missing.add(taken.flight);
      }
    }
    missing.forEach(current::abandon);
    patience = Math.min(2 * patience, sender.timeout().toNanos());
    return true;
  }

  private Verdict verdict(Taken taken, Overtaken overtaken) {
    if (taken.verdict == null) {
      SendOutcome known = taken.flight == null ? null : taken.flight.outcome();
      SendOutcome outcome = known != null ? known : SafeSend.noOutcome(sender);
      taken.verdict =
          outcome instanceof Unknown unknown && isOfItsKeyOnly(taken, unknown, overtaken)
              ? blocked(taken, unknown)
              : after(taken, outcome);
    }
    return taken.verdict;
  }

  private boolean isOfItsKeyOnly(Taken taken, Unknown unknown, Overtaken overtaken) {
    return unknown.onlyItsKey()
        || heldKeys.isUnanswered(taken.key())
        || (taken.flight != null && overtaken.contains(taken.flight));
  }

  private Verdict blocked(Taken taken, Unknown unknown) {
    gates.heardInPipe(taken.claim.message(), unknown, false);
    if (pipe != null) {
      pipe.closeFor(taken.key());
    }
    Pipe.Flight flight = taken.flight;
    Duration waited =
        flight != null && flight.outcome() == null ? ticker.since(flight.sentAt()) : Duration.ZERO;
    return rules.blocked(taken.claim, unknown, heldKeys, waited);
  }

  private Verdict after(Taken taken, SendOutcome outcome) {
    boolean failedFirst = pipe != null && pipe.failedFirst(taken.flight);
    gates.heardInPipe(taken.claim.message(), outcome, failedFirst);
    if (!(outcome instanceof Unknown) && heldKeys.answered(taken.key())) {
      patience = Overtaken.patience(sender);
    }
    return rules.after(taken.claim, outcome);
  }
}
