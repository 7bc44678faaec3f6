package io.postroad.internal.relay.queue;

import io.postroad.internal.loop.Waiter;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The claims that were handed to the sender and have no outcome yet. One thread owns it; only
 * {@link #complete} is called by others. An outcome that comes after its send was given up is
 * dropped: the message is settled as unknown by then.
 */
final class InFlightSends {

  /** One send of one claim. Two sends are never equal, even of the same message. */
  static final class Send {
    private final Claim claim;
    private final long sentAt;
    private long leaseFrom;
    private @Nullable SendOutcome outcome;

    private Send(Claim claim, long sentAt, long leaseFrom) {
      this.claim = claim;
      this.sentAt = sentAt;
      this.leaseFrom = leaseFrom;
    }

    Claim claim() {
      return claim;
    }

    SendOutcome outcome() {
      return Objects.requireNonNull(outcome, "a completed send has an outcome");
    }

    void extendedFrom(long nanos) {
      leaseFrom = nanos;
    }
  }

  private final Set<Send> inFlight = new LinkedHashSet<>();
  private final Queue<Send> completed = new ConcurrentLinkedQueue<>();
  private final Waiter waiter;

  InFlightSends(Waiter waiter) {
    this.waiter = waiter;
  }

  int size() {
    return inFlight.size();
  }

  /** Adds a claim; the times are readings of the ticker before the send and before the claim. */
  Send add(Claim claim, long sentAt, long claimAskedAt) {
    Send send = new Send(claim, sentAt, claimAskedAt);
    inFlight.add(send);
    return send;
  }

  /** Records an outcome; called by the threads of the sender. */
  void complete(Send send, SendOutcome outcome) {
    send.outcome = outcome;
    completed.add(send);
    waiter.signal();
  }

  /** Takes the outcomes that have come in. */
  List<Send> takeCompleted() {
    List<Send> taken = new ArrayList<>();
    for (Send next = completed.poll(); next != null; next = completed.poll()) {
      if (inFlight.remove(next)) {
        taken.add(next);
      }
    }
    return taken;
  }

  /** Takes the sends that have been without an outcome for longer than {@code timeout}. */
  List<Send> takeOverdue(long now, Duration timeout) {
    List<Send> overdue = new ArrayList<>();
    for (Iterator<Send> oldestFirst = inFlight.iterator(); oldestFirst.hasNext(); ) {
      Send send = oldestFirst.next();
      if (now - send.sentAt <= timeout.toNanos()) {
        break;
      }
      overdue.add(send);
      oldestFirst.remove();
    }
    return overdue;
  }

  /** Returns the sends whose lease is older than {@code age}. */
  List<Send> leasedLongerThan(Duration age, long now) {
    return inFlight.stream().filter(send -> now - send.leaseFrom > age.toNanos()).toList();
  }

  /** Gives up a send whose message another node has by now. */
  void forget(Send send) {
    inFlight.remove(send);
  }
}
