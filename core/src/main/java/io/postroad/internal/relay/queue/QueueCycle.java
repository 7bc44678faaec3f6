package io.postroad.internal.relay.queue;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.BatchSize;
import io.postroad.internal.relay.CircuitBreaker;
import io.postroad.internal.relay.MessageResult;
import io.postroad.internal.relay.Permit;
import io.postroad.internal.relay.RelayEvents;
import io.postroad.internal.relay.RelayParts;
import io.postroad.internal.relay.SafeSend;
import io.postroad.internal.relay.SettleRules;
import io.postroad.internal.relay.queue.InFlightSends.Send;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over a competing store: SETTLE known outcomes, CLAIM due messages, DISPATCH them. The
 * sends of one pass are in flight while the next pass works, so broker and database are busy at the
 * same time.
 *
 * <p>Used by one thread. After a crash other nodes find:
 *
 * <ul>
 *   <li>after CLAIM: leased messages, which they claim when the lease has expired.
 *   <li>after DISPATCH: the same; messages that the broker already has arrive twice.
 *   <li>after SETTLE: nothing to repeat.
 * </ul>
 */
final class QueueCycle implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
  private static final Duration DRAIN_STEP = Duration.ofMillis(50);

  private final CompetingStore<?> store;
  private final MessageSender sender;
  private final RelayOptions options;
  private final SettleRules rules;
  private final CircuitBreaker breaker;
  private final RelayEvents events;
  private final Ticker ticker;
  private final Waiter waiter;
  private final Pace pollPace;
  private final InFlightSends inFlight;
  private final LongAdder inFlightOfRelay;
  private final BatchSize batch;
  private final List<MessageResult> results = new ArrayList<>();
  private int settleLimit = Integer.MAX_VALUE;
  private boolean isFirstPass = true;
  private boolean moreToRelease;

  QueueCycle(CompetingStore<?> store, RelayParts parts, Waiter waiter) {
    this.store = store;
    this.sender = parts.sender();
    this.options = parts.options();
    this.rules = parts.rules(Duration.ZERO);
    this.breaker = parts.breaker();
    this.events = parts.events();
    this.ticker = parts.ticker();
    this.waiter = waiter;
    this.pollPace = parts.pollPace();
    this.inFlight = new InFlightSends(waiter);
    this.inFlightOfRelay = parts.inFlight();
    this.batch = new BatchSize(options.batch(), options.maxBatch());
  }

  /** Runs one pass; the next one follows at once while there is work. */
  @Override
  public Duration runOnce() {
    RelayPass pass = runPass();
    if (pass.didSomething()) {
      pollPace.reset();
    }
    return pass.full() ? Duration.ZERO : pollPace.next();
  }

  @Override
  public void finish() {
    drain(options.drainFor());
  }

  /** Waits for the sends in flight and settles them; returns the sum of its passes. */
  RelayPass drain(Duration atMost) {
    long began = ticker.nanos();
    RelayPass done = settleAgain();
    while (unsettled() > 0
        && ticker.since(began).compareTo(atMost) < 0
        && !Thread.currentThread().isInterrupted()) {
      waiter.await(DRAIN_STEP);
      done = done.plus(settleAgain());
    }
    return done;
  }

  /** Settles known outcomes; a store that fails is asked again, so that no outcome is lost. */
  private RelayPass settleAgain() {
    try {
      return settle();
    } catch (RuntimeException failed) {
      LOG.debug("settle failed while draining, trying again", failed);
      return RelayPass.NOTHING;
    }
  }

  /** Runs one pass. Throws when the store fails; the next pass continues where this one stopped. */
  RelayPass runPass() {
    RelayPass settled = settle();
    extendLeases();
    releaseDestinations();
    int asked = Math.min(batch.current(), options.maxInFlight(batch.most()) - unsettled());
    if (asked < 1) {
      return settled;
    }
    long askedAt = ticker.nanos();
    List<Claim> claims = claim(asked);
    dispatch(claims, askedAt);
    batch.adapt(asked, claims, Claim::message);
    return settled.plusClaimed(claims.size(), claims.size() == asked);
  }

  /** Returns how many claimed messages have no settlement in the store yet. */
  int unsettled() {
    return inFlight.size() + results.size();
  }

  private List<Claim> claim(int limit) {
    long began = ticker.nanos();
    ClaimRequest request = new ClaimRequest(options.name(), limit, options.leaseFor());
    List<Claim> claims;
    try {
      claims = events.ask("claim", () -> store.claim(request));
    } catch (RuntimeException | Error failed) {
      batch.failed();
      throw failed;
    }
    events.signal(new OutboxSignal.Polled(options.name(), claims.size(), ticker.since(began)));
    claims.forEach(events::claimed);
    return claims;
  }

  private void dispatch(List<Claim> claims, long askedAt) {
    // The process may have been frozen since it asked for the claims, until near their lease's end.
    Duration left = options.leaseFor().minus(ticker.since(askedAt));
    boolean tooLate = left.compareTo(sender.timeout()) < 0;
    List<Claim> sendable = new ArrayList<>(claims.size());
    for (Claim claim : claims) {
      Permit permit = rules.ask(claim);
      if (permit.isSend() && tooLate) {
        permit = Permit.LEASE_ENDING;
      }
      if (permit.isSend()) {
        sendable.add(claim);
      } else {
        results.add(rules.notSent(claim, permit));
      }
    }
    if (!sendable.isEmpty()) {
      send(sendable, askedAt);
    }
  }

  private void send(List<Claim> claims, long askedAt) {
    long sentAt = ticker.nanos();
    List<Message> messages = claims.stream().map(Claim::message).toList();
    List<Send> sends = claims.stream().map(claim -> inFlight.add(claim, sentAt, askedAt)).toList();
    inFlightOfRelay.add(messages.size());
    SafeSend.send(
        sender::send,
        sender,
        messages,
        (outcome, index) -> {
          inFlightOfRelay.decrement();
          inFlight.complete(sends.get(index), outcome);
        });
  }

  /**
   * Settles the messages whose outcome is known by now. After a failure of the store it settles
   * half as many at once, down to one, so that a message which the store refuses does not keep the
   * others from being settled.
   */
  RelayPass settle() {
    for (Send send : inFlight.takeCompleted()) {
      results.add(after(send.claim(), send.outcome()));
    }
    for (Send send : inFlight.takeOverdue(ticker.nanos(), sender.timeout())) {
      results.add(after(send.claim(), SafeSend.noOutcome(sender)));
    }
    if (results.isEmpty()) {
      return RelayPass.NOTHING;
    }
    int size = Math.min(settleLimit, results.size());
    List<MessageResult> settling = List.copyOf(results.subList(0, size));
    List<Settlement> settlements = settling.stream().map(MessageResult::settlement).toList();
    Set<UUID> rejected;
    try {
      rejected = events.ask("settle", () -> store.settle(settlements));
    } catch (RuntimeException failed) {
      settleLimit = Math.max(1, size / 2);
      if (size > 1) {
        throw failed;
      }
      // The store refuses this message, or is down altogether, which the claim will find out.
      results.add(results.remove(0));
      return RelayPass.NOTHING;
    }
    // Only now: a later pass repeats a settle that failed, and the fence makes that safe.
    results.subList(0, size).clear();
    settleLimit = settleLimit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : settleLimit * 2;
    settling.forEach(result -> events.settled(result, rejected));
    return MessageResult.counted(settling, rejected);
  }

  private MessageResult after(Claim claim, SendOutcome outcome) {
    breaker.heard(claim.message(), outcome);
    return rules.after(claim, outcome);
  }

  /**
   * Reads the pauses and releases blocked messages: one of a destination that is probed, all of an
   * open one. Does so once per sweep, and in the first pass: {@code runOnce} of a relay has a new
   * cycle for every pass.
   */
  private void releaseDestinations() {
    boolean isDue = breaker.isPauseReadDue() || isFirstPass || moreToRelease;
    isFirstPass = false;
    if (!isDue) {
      return;
    }
    breaker.replacePauses(events.ask("pauses", () -> store.pauses().list()));
    moreToRelease = false;
    for (String destination : events.ask("blocked destinations", store::blockedDestinations)) {
      breaker.suspect(destination);
      int limit = breaker.releaseLimit(destination, options.maxBatch());
      if (limit > 0) {
        int released = events.ask("release", () -> store.open(destination, limit));
        moreToRelease |= limit > 1 && released == limit;
        if (released == 0) {
          breaker.noneReleased(destination);
        } else if (limit > 1 && released < limit) {
          breaker.noneBlocked(destination);
        }
      }
    }
  }

  /** Extends the leases of messages that the sender still has. */
  private void extendLeases() {
    Duration half = options.leaseFor().dividedBy(2);
    long now = ticker.nanos();
    List<Send> ageing = inFlight.leasedLongerThan(half, now);
    if (ageing.isEmpty()) {
      return;
    }
    List<Claim> claims = ageing.stream().map(Send::claim).toList();
    Set<UUID> extended = events.ask("extend", () -> store.extend(claims, options.leaseFor()));
    for (Send send : ageing) {
      if (extended.contains(send.claim().id())) {
        send.extendedFrom(now);
      } else {
        inFlight.forget(send);
        events.signal(OutboxSignal.fenceRejected(send.claim(), "extend"));
      }
    }
  }
}
