package io.postroad.outbox;

import io.postroad.engine.Waiter;
import io.postroad.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One {@link SendSession} and what is in flight in it. After the first outcome that is not Accepted
 * nothing more goes in; once {@link #isEmpty()}, everything that is not accepted can be sent again,
 * in order, through a new one.
 *
 * <p>One thread owns it; outcomes come in on the sender's threads.
 */
final class Pipe {
  /** Landings between two signals while others are still in flight. */
  private static final int SIGNAL_EVERY = 64;

  /** One message on its way. */
  static final class Flight {
    private final long sentAt;
    private volatile @Nullable SendOutcome outcome;

    private Flight(long sentAt) {
      this.sentAt = sentAt;
    }

    @Nullable SendOutcome outcome() {
      return outcome;
    }

    boolean isOverdue(long now, long timeoutNanos) {
      return outcome == null && now - sentAt > timeoutNanos;
    }
  }

  private final MessageSender sender;
  private final SendSession session;
  private final Waiter waiter;
  private final LongAdder all;
  private final AtomicInteger flying = new AtomicInteger();
  private final AtomicReference<@Nullable Flight> firstFailure = new AtomicReference<>();
  private volatile boolean failed;
  private volatile boolean answered;

  /**
   * A pipe through a session of this line.
   *
   * @param all counts what is in flight in this and other pipes
   */
  Pipe(MessageSender sender, String line, Waiter waiter, LongAdder all) {
    this.sender = sender;
    this.session = sender.openSession(line);
    this.waiter = waiter;
    this.all = all;
  }

  List<Flight> send(List<Message> messages, long now) {
    List<Flight> flights = new ArrayList<>(messages.size());
    flying.addAndGet(messages.size());
    all.add(messages.size());
    messages.forEach(message -> flights.add(new Flight(now)));
    SafeSend.send(
        session::send, sender, messages, (index, outcome) -> land(flights.get(index), outcome));
    return flights;
  }

  private void land(Flight flight, SendOutcome outcome) {
    if (!(outcome instanceof SendOutcome.Accepted)) {
      firstFailure.compareAndSet(null, flight);
      failed = true;
    }
    if (!(outcome instanceof SendOutcome.Unknown)) {
      answered = true;
    }
    flight.outcome = outcome;
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
