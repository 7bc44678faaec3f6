package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.SafeSend;
import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import io.postroad.outbox.sender.SendOutcome.Unknown;
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
 * A {@link SendSession} of a lane and its sends in flight. After the first outcome that is not
 * Accepted the session takes no more messages. Once {@link #isEmpty()}, all messages that were not
 * accepted can be sent again, in order, through a new session.
 *
 * <p>A message that the sender answers with {@link Unknown#onlyItsKey()}, or that is abandoned
 * because later ones were accepted, does not end the session. The session takes no more messages of
 * its key, see {@link #isClosedFor}.
 *
 * <p>One thread owns it; outcomes come in on the threads of the sender.
 */
final class LaneSession {
  /** Outcomes between two signals while other sends are still in flight. */
  private static final int SIGNAL_EVERY = 64;

  /** The send of one message, from its hand-over to its outcome. */
  static final class InFlightSend {
    private final long sentAt;
    private long completedAt;
    private boolean isAbandoned;
    private volatile @Nullable SendOutcome outcome;

    private InFlightSend(long sentAt) {
      this.sentAt = sentAt;
    }

    @Nullable SendOutcome outcome() {
      return outcome;
    }

    long sentAt() {
      return sentAt;
    }

    /** Returns when the outcome came in, or {@code now} while there is none. */
    long completedAt(long now) {
      return outcome == null ? now : completedAt;
    }

    boolean isOverdue(long now, long timeoutNanos) {
      return outcome == null && now - sentAt > timeoutNanos;
    }

    /** Returns whether the session still waited for the outcome. */
    private synchronized boolean complete(SendOutcome newOutcome, long now) {
      if (!isAbandoned) {
        completedAt = now;
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
  private final LongAdder inFlightOfRelay;
  private final Ticker ticker;
  private final Set<OrderKey> closedKeys = new HashSet<>();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicReference<@Nullable InFlightSend> firstFailure = new AtomicReference<>();
  private volatile boolean failed;
  private volatile boolean answered;
  private boolean retired;

  /**
   * Opens a session.
   *
   * @param suffix of its name, which is the same on all nodes and for ever
   */
  LaneSession(OwnedLane lane, String suffix) {
    this.sender = lane.sender();
    this.ticker = lane.ticker();
    this.session = sender.openSession("lane-" + lane.lease().lane() + suffix);
    this.waiter = lane.waiter();
    this.inFlightOfRelay = lane.parts().inFlight();
  }

  void send(List<LaneMessage> toSend) {
    long now = ticker.nanos();
    List<Message> messages = new ArrayList<>(toSend.size());
    List<InFlightSend> sends = new ArrayList<>(toSend.size());
    for (LaneMessage each : toSend) {
      InFlightSend send = new InFlightSend(now);
      each.sent(send);
      sends.add(send);
      messages.add(each.message());
    }
    inFlight.addAndGet(messages.size());
    inFlightOfRelay.add(messages.size());
    SafeSend.send(
        session::send, sender, messages, (outcome, index) -> complete(sends.get(index), outcome));
  }

  private void complete(InFlightSend send, SendOutcome outcome) {
    boolean onlyItsKey = outcome instanceof Unknown unknown && unknown.onlyItsKey();
    if (!(outcome instanceof Accepted)) {
      firstFailure.compareAndSet(null, send);
      // Set before the outcome: a thread that sees the outcome must see the failure, too.
      if (!onlyItsKey) {
        failed = true;
      }
    }
    if (!(outcome instanceof Unknown)) {
      answered = true;
    }
    if (!send.complete(outcome, ticker.nanos())) {
      return;
    }
    inFlightOfRelay.decrement();
    int left = inFlight.decrementAndGet();
    if (left % SIGNAL_EVERY == 0) {
      waiter.signal();
    }
  }

  /** Returns whether a message was not accepted, so that the session takes no more. */
  boolean hasFailed() {
    return failed;
  }

  /** Returns whether this send failed first; the others failed because of it. */
  boolean failedFirst(@Nullable InFlightSend send) {
    return send != null && firstFailure.get() == send;
  }

  /** Returns whether a message was accepted or rejected, so that there is a broker. */
  boolean hasAnswered() {
    return answered;
  }

  /** Returns whether every outcome is known. */
  boolean isEmpty() {
    return inFlight.get() == 0;
  }

  /**
   * Stops waiting for a message whose key is blocked now. A later outcome no longer counts for the
   * message, but one that is not accepted still ends the session. Returns whether the message had
   * no outcome yet.
   */
  boolean abandon(InFlightSend send) {
    if (!send.abandon()) {
      return false;
    }
    inFlightOfRelay.decrement();
    inFlight.decrementAndGet();
    return true;
  }

  /** Takes no more messages of a key: one of them was not accepted, and other keys went on. */
  void closeFor(OrderKey key) {
    closedKeys.add(key);
  }

  /** Returns whether the session takes no more messages of one of these keys. */
  boolean isClosedFor(Set<OrderKey> keys) {
    return !closedKeys.isEmpty() && keys.stream().anyMatch(closedKeys::contains);
  }

  /** Returns whether the session takes no more messages of some key. */
  boolean hasClosedKeys() {
    return !closedKeys.isEmpty();
  }

  /** Takes no more messages, as after a failure, although none has failed. */
  void retire() {
    failed = true;
    retired = true;
  }

  boolean isRetired() {
    return retired;
  }

  /** Treats a send whose outcome did not come in time as failed. */
  void giveUp(@Nullable InFlightSend overdue) {
    firstFailure.compareAndSet(null, overdue);
    failed = true;
  }

  /** Closes the session; sends in flight have an unknown outcome. */
  void close() {
    try {
      session.close();
    } catch (RuntimeException failedToClose) {
      // The outcome of its sends in flight is unknown either way.
      failed = true;
    }
  }
}
