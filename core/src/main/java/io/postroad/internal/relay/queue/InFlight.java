package io.postroad.internal.relay.queue;

import io.postroad.internal.loop.Waiter;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The claims that were handed to the sender and have no outcome yet. One thread owns it; only
 * {@link #land} is called by others. An outcome that comes after its flight was given up is
 * dropped: the message is settled as unknown by then.
 */
final class InFlight {

  /** One send of one claim. Two sends are never equal, even of the same message. */
  static final class Flight {
    private final Claim claim;
    private final long sentAt;
    private long leaseFrom;

    private Flight(Claim claim, long sentAt, long leaseFrom) {
      this.claim = claim;
      this.sentAt = sentAt;
      this.leaseFrom = leaseFrom;
    }

    Claim claim() {
      return claim;
    }

    void extendedFrom(long nanos) {
      leaseFrom = nanos;
    }
  }

  /** A flight and what became of it. */
  record Landing(Flight flight, SendOutcome outcome) {}

  private final Set<Flight> flying = new LinkedHashSet<>();
  private final Queue<Landing> landed = new ConcurrentLinkedQueue<>();
  private final Waiter waiter;

  InFlight(Waiter waiter) {
    this.waiter = waiter;
  }

  int size() {
    return flying.size();
  }

  /** Readings are the ticker's, taken before the send and before the claim was asked for. */
  Flight add(Claim claim, long sentAt, long claimAskedAt) {
    Flight flight = new Flight(claim, sentAt, claimAskedAt);
    flying.add(flight);
    return flight;
  }

  /** Called by the sender's threads. */
  void land(Flight flight, SendOutcome outcome) {
    landed.add(new Landing(flight, outcome));
    waiter.signal();
  }

  /** Takes the outcomes that have come in. */
  List<Landing> takeLanded() {
    List<Landing> taken = new ArrayList<>();
    for (Landing landing = landed.poll(); landing != null; landing = landed.poll()) {
      if (flying.remove(landing.flight())) {
        taken.add(landing);
      }
    }
    return taken;
  }

  /** Takes the flights that have been without an outcome for longer than {@code timeout}. */
  List<Flight> takeOverdue(long now, Duration timeout) {
    List<Flight> overdue = new ArrayList<>();
    for (Iterator<Flight> oldestFirst = flying.iterator(); oldestFirst.hasNext(); ) {
      Flight flight = oldestFirst.next();
      if (now - flight.sentAt <= timeout.toNanos()) {
        break;
      }
      overdue.add(flight);
      oldestFirst.remove();
    }
    return overdue;
  }

  /** The flights whose lease is older than {@code age}. */
  List<Flight> leasedLongerThan(Duration age, long now) {
    return flying.stream().filter(flight -> now - flight.leaseFrom > age.toNanos()).toList();
  }

  /** Gives up a flight whose message another node has by now. */
  void forget(Flight flight) {
    flying.remove(flight);
  }
}
