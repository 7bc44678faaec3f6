package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.SafeSend;
import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import io.postroad.store.OrderKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One {@link SendSession} and what is in flight in it. After the first outcome that is not Accepted
 * nothing more goes in; once {@link #isEmpty()}, everything that is not accepted can be sent again,
 * in order, through a new one.
 *
 * <p>A message that the sender answers with {@link SendOutcome.Unknown#onlyItsKey()}, or that is
 * abandoned because later ones were accepted, does not end the pipe: the others go on. The pipe is
 * closed for its key, see {@link #isClosedFor}.
 *
 * <p>One thread owns it; outcomes come in on the sender's threads.
 */
public final class Pipe {
  /** Landings between two signals while others are still in flight. */
  private static final int SIGNAL_EVERY = 64;

  /** One message on its way. */
  public static final class Flight {
    private final long sentAt;
    private long landedAt;
    private boolean isAbandoned;
    private volatile @Nullable SendOutcome outcome;

    private Flight(long sentAt) {
      this.sentAt = sentAt;
    }

    public @Nullable SendOutcome outcome() {
      return outcome;
    }

    public long sentAt() {
      return sentAt;
    }

    /** When its outcome came in, or now while it has none. */
    public long landedAt(long now) {
      return outcome == null ? now : landedAt;
    }

    boolean isOverdue(long now, long timeoutNanos) {
      return outcome == null && now - sentAt > timeoutNanos;
    }

    /** Whether the outcome is one that the pipe still waits for. */
    private synchronized boolean land(SendOutcome newOutcome, long now) {
      if (!isAbandoned) {
        landedAt = now;
        outcome = newOutcome;
      }
      return !isAbandoned;
    }

    private synchronized boolean abandon() {
      isAbandoned |= outcome == null;
      return isAbandoned;
    }
  }

  private final MessageSender sender;
  private final SendSession session;
  private final Waiter waiter;
  private final LongAdder all;
  private final Ticker ticker;
  private final Set<OrderKey> closedKeys = new HashSet<>();
  private final AtomicInteger flying = new AtomicInteger();
  private final AtomicReference<@Nullable Flight> firstFailure = new AtomicReference<>();
  private volatile boolean failed;
  private volatile boolean answered;
  private boolean retired;

  /**
   * A pipe through a session of this line.
   *
   * @param all counts what is in flight in this and other pipes
   */
  Pipe(MessageSender sender, String line, Waiter waiter, LongAdder all, Ticker ticker) {
    this.sender = sender;
    this.ticker = ticker;
    this.session = sender.openSession(line);
    this.waiter = waiter;
    this.all = all;
  }

  List<Flight> send(List<Message> messages) {
    long now = ticker.nanos();
    List<Flight> flights = new ArrayList<>(messages.size());
    flying.addAndGet(messages.size());
    all.add(messages.size());
    messages.forEach(message -> flights.add(new Flight(now)));
    SafeSend.send(
        session::send, sender, messages, (index, outcome) -> land(flights.get(index), outcome));
    return flights;
  }

  private void land(Flight flight, SendOutcome outcome) {
    boolean onlyItsKey = outcome instanceof SendOutcome.Unknown unknown && unknown.onlyItsKey();
    if (!(outcome instanceof SendOutcome.Accepted)) {
      firstFailure.compareAndSet(null, flight);
      // Set before the outcome: a thread that sees the outcome must see the failure, too.
      if (!onlyItsKey) {
        failed = true;
      }
    }
    if (!(outcome instanceof SendOutcome.Unknown)) {
      answered = true;
    }
    if (!flight.land(outcome, ticker.nanos())) {
      return;
    }
    all.decrement();
    int left = flying.decrementAndGet();
    if (left % SIGNAL_EVERY == 0) {
      waiter.signal();
    }
  }

  /** Whether something was not accepted: nothing more may go in. */
  boolean hasFailed() {
    return failed;
  }

  /** Whether this one failed first; the others failed because it did. */
  boolean failedFirst(@Nullable Flight flight) {
    return flight != null && firstFailure.get() == flight;
  }

  /** Whether something was accepted or rejected, so that there is a broker. */
  boolean hasAnswered() {
    return answered;
  }

  /** Whether every outcome is known. */
  boolean isEmpty() {
    return flying.get() == 0;
  }

  /**
   * Stops waiting for a message whose key is blocked now. A later outcome no longer counts for the
   * message, but one that is not accepted still ends the pipe. Returns whether it had no outcome
   * yet.
   */
  boolean abandon(Flight flight) {
    if (!flight.abandon()) {
      return false;
    }
    all.decrement();
    flying.decrementAndGet();
    return true;
  }

  /** Lets no message of a key in again: one of it was not accepted, and other keys went on. */
  void closeFor(OrderKey key) {
    closedKeys.add(key);
  }

  /** Whether one of these keys may not go through this pipe again. */
  boolean isClosedFor(Set<OrderKey> keys) {
    return !closedKeys.isEmpty() && keys.stream().anyMatch(closedKeys::contains);
  }

  /** Whether some key may not go through this pipe again. */
  boolean hasClosedKeys() {
    return !closedKeys.isEmpty();
  }

  /** Nothing more goes in, as after a failure, but none has failed. */
  void retire() {
    failed = true;
    retired = true;
  }

  /** Whether it took nothing more without a failure. */
  boolean isRetired() {
    return retired;
  }

  /** An outcome did not come in time: as if it had failed. */
  void giveUp(@Nullable Flight overdue) {
    firstFailure.compareAndSet(null, overdue);
    failed = true;
  }

  /** Gives up what is in flight. */
  void close() {
    try {
      session.close();
    } catch (RuntimeException failedToClose) {
      // What it was sending is unknown either way.
      failed = true;
    }
  }
}
