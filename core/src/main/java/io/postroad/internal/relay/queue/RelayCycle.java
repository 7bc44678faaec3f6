package io.postroad.internal.relay.queue;

import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.Announcer;
import io.postroad.internal.relay.BatchSize;
import io.postroad.internal.relay.Gates;
import io.postroad.internal.relay.RelayParts;
import io.postroad.internal.relay.SafeSend;
import io.postroad.internal.relay.SettleBatch;
import io.postroad.internal.relay.SettleRules;
import io.postroad.internal.relay.Verdict;
import io.postroad.internal.relay.queue.InFlight.Flight;
import io.postroad.internal.relay.queue.InFlight.Landing;
import io.postroad.message.Message;
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

/**
 * One pass of a relay: SETTLE what has come back, CLAIM what is due, DISPATCH it. The sends of one
 * pass are in flight while the next pass works, so broker and database are busy at the same time.
 *
 * <p>Used by one thread. What a crash leaves:
 *
 * <ul>
 *   <li>after CLAIM: leased messages; another node takes them when the lease has expired.
 *   <li>after DISPATCH: the same; what the broker already has arrives twice.
 *   <li>after SETTLE: nothing to do.
 * </ul>
 */
final class RelayCycle {
  private final CompetingStore<?> store;
  private final MessageSender sender;
  private final RelayOptions options;
  private final SettleRules rules;
  private final Gates gates;
  private final Announcer news;
  private final Ticker ticker;
  private final InFlight inFlight;
  private final LongAdder all;
  private final BatchSize batch;
  private final SettleBatch settleBatch = new SettleBatch();
  private final List<Verdict> verdicts = new ArrayList<>();
  private boolean looked;
  private boolean moreToOpen;

  RelayCycle(CompetingStore<?> store, RelayParts parts, Waiter waiter) {
    this.store = store;
    this.sender = parts.sender();
    this.options = parts.options();
    this.rules = parts.rules();
    this.gates = parts.gates();
    this.news = parts.announcer();
    this.ticker = parts.ticker();
    this.inFlight = new InFlight(waiter);
    this.all = parts.inFlight();
    this.batch = new BatchSize(options.batch(), options.maxBatch());
  }

  /** One pass. Throws when the store fails; the next pass goes on where this one stopped. */
  RelayPass runOnce() {
    RelayPass settled = settle();
    extendLeases();
    openDestinations();
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

  /** How many claimed messages have no settlement in the store yet. */
  int unsettled() {
    return inFlight.size() + verdicts.size();
  }

  private List<Claim> claim(int limit) {
    long began = ticker.nanos();
    ClaimRequest request = new ClaimRequest(options.name(), limit, options.leaseFor());
    List<Claim> claims;
    try {
      claims = news.ask("claim", () -> store.claim(request));
    } catch (RuntimeException | Error failed) {
      batch.failed();
      throw failed;
    }
    news.signal(new OutboxSignal.Polled(options.name(), claims.size(), ticker.since(began)));
    claims.forEach(news::claimed);
    return claims;
  }

  private void dispatch(List<Claim> claims, long askedAt) {
    List<Claim> sendable = new ArrayList<>(claims.size());
    for (Claim claim : claims) {
      if (rules.isExhausted(claim)) {
        verdicts.add(rules.exhausted(claim));
      } else if (gates.ask(claim.message()) == Gates.Permit.SHUT) {
        verdicts.add(rules.setAside(claim));
      } else {
        sendable.add(claim);
      }
    }
    if (sendable.isEmpty()) {
      return;
    }
    if (tooLate(askedAt)) {
      for (Claim claim : sendable) {
        verdicts.add(rules.notSent(claim, "claimed, but too late in its lease to be sent"));
      }
      return;
    }
    send(sendable, askedAt);
  }

  /** The process may have been frozen between asking and now, and that may have cost the lease. */
  private boolean tooLate(long askedAt) {
    Duration left = options.leaseFor().minus(ticker.since(askedAt));
    return left.compareTo(sender.timeout()) < 0;
  }

  private void send(List<Claim> claims, long askedAt) {
    long sentAt = ticker.nanos();
    List<Message> messages = claims.stream().map(Claim::message).toList();
    List<Flight> flights =
        claims.stream().map(claim -> inFlight.add(claim, sentAt, askedAt)).toList();
    all.add(messages.size());
    SafeSend.send(
        sender::send,
        sender,
        messages,
        (index, outcome) -> {
          all.decrement();
          inFlight.land(flights.get(index), outcome);
        });
  }

  /** Writes down the outcomes that are known by now: all of them, unless the store refused some. */
  RelayPass settle() {
    for (Landing landing : inFlight.takeLanded()) {
      verdicts.add(after(landing.flight().claim(), landing.outcome()));
    }
    for (Flight flight : inFlight.takeOverdue(ticker.nanos(), sender.timeout())) {
      verdicts.add(after(flight.claim(), SafeSend.noOutcome(sender)));
    }
    if (verdicts.isEmpty()) {
      return RelayPass.NOTHING;
    }
    List<Verdict> settling = List.copyOf(verdicts.subList(0, settleBatch.next(verdicts.size())));
    List<Settlement> settlements = settling.stream().map(Verdict::settlement).toList();
    Set<UUID> rejected;
    try {
      rejected = news.ask("settle", () -> store.settle(settlements));
    } catch (RuntimeException failed) {
      settleBatch.failed(settling.size());
      if (settling.size() > 1) {
        throw failed;
      }
      // The store refuses this one alone, or is down altogether, which the claim will find out.
      verdicts.add(verdicts.remove(0));
      return RelayPass.NOTHING;
    }
    // Only now: a settle that failed is repeated by a later pass, and the fence makes that safe.
    verdicts.subList(0, settling.size()).clear();
    settleBatch.worked();
    settling.forEach(verdict -> news.settled(verdict, rejected));
    return Verdict.counted(settling, rejected);
  }

  private Verdict after(Claim claim, SendOutcome outcome) {
    gates.heard(claim.message(), outcome);
    return rules.after(claim, outcome);
  }

  /**
   * Now and then, and at first ({@code runOnce} has a new cycle for every pass): sees what people
   * paused, and lets messages come back that were set aside: one of a destination that is tried,
   * all of an open one.
   */
  private void openDestinations() {
    boolean first = !looked;
    looked = true;
    if (!gates.isTimeToLook() && !first && !moreToOpen) {
      return;
    }
    gates.see(news.ask("pauses", () -> store.pauses().list()));
    moreToOpen = false;
    for (String destination : news.ask("destinations aside", store::blockedDestinations)) {
      gates.suspect(destination);
      int limit = gates.toOpen(destination, options.maxBatch());
      if (limit > 0) {
        int opened = news.ask("open", () -> store.open(destination, limit));
        moreToOpen |= limit > 1 && opened == limit;
        if (opened == 0) {
          gates.letNoneBack(destination);
        } else if (limit > 1 && opened < limit) {
          gates.letAllBack(destination);
        }
      }
    }
  }

  /** Keeps what is still with the sender ours; a flight past the sender's timeout is not kept. */
  private void extendLeases() {
    Duration half = options.leaseFor().dividedBy(2);
    long now = ticker.nanos();
    List<Flight> ageing = inFlight.leasedLongerThan(half, now);
    if (ageing.isEmpty()) {
      return;
    }
    List<Claim> claims = ageing.stream().map(Flight::claim).toList();
    Set<UUID> held = news.ask("extend", () -> store.extend(claims, options.leaseFor()));
    for (Flight flight : ageing) {
      if (held.contains(flight.claim().id())) {
        flight.extendedFrom(now);
      } else {
        inFlight.forget(flight);
        news.signal(OutboxSignal.fenceRejected(flight.claim(), "extend"));
      }
    }
  }
}
