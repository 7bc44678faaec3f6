package io.postroad.jms;

import io.postroad.inbox.HandlerContext;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxOptions;
import io.postroad.inbox.InboxSignal;
import io.postroad.message.Message;
import io.postroad.outbox.RelayOptions;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.test.InMemoryOrderedStore;
import io.postroad.test.InMemoryTransaction;
import io.postroad.test.ManualClock;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** A receiver of one queue with an in-memory inbox, which records the handled messages. */
final class ReceiverScene implements AutoCloseable {
  private static final Duration AT_MOST = Duration.ofSeconds(60);

  final List<Message> handled = new CopyOnWriteArrayList<>();
  final List<InboxSignal> signals = new CopyOnWriteArrayList<>();
  final Set<String> failing = ConcurrentHashMap.newKeySet();
  final ManualClock clock = ManualClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
  final InMemoryOrderedStore store = new InMemoryOrderedStore(clock);
  final BreakableTransactions transactions = new BreakableTransactions(store.transactions());
  final Inbox<InMemoryTransaction> inbox;
  final JmsReceiver receiver;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  ReceiverScene(TestQueues queues, String queue, JmsReceiverOptions options) {
    inbox =
        Inbox.builder(
                store.inbox(),
                Handlers.<InMemoryTransaction>builder().onAny(queue, "notes", this::handle).build())
            .retries(store)
            .transactions(transactions)
            .observer(signal -> note(() -> signals.add(signal)))
            .options(
                InboxOptions.defaults()
                    .withRetries(RelayOptions.defaults().withMaxAttempts(2).withBreakAfter(0)))
            .build();
    receiver = JmsReceiver.create(queues.connections(), options, inbox);
    receiver.start();
  }

  private void handle(Message message, HandlerContext<InMemoryTransaction> context) {
    if (failing.contains(message.type())) {
      throw new IllegalStateException("cannot handle " + message.type());
    }
    transactions.afterCommit(() -> note(() -> handled.add(message)));
  }

  private void note(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until a number of messages were handled. */
  List<String> awaitHandled(int count) {
    await(() -> handled.size() >= count, "handled");
    return handled.stream().map(Message::type).toList();
  }

  /** Waits until a number of signals of a kind arrived. */
  <S extends InboxSignal> List<S> awaitSignals(Class<S> kind, int count) {
    await(() -> of(kind).size() >= count, kind.getSimpleName());
    return of(kind);
  }

  private <S> List<S> of(Class<S> kind) {
    return signals.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private void await(BooleanSupplier reached, String what) {
    lock.lock();
    try {
      long left = AT_MOST.toNanos();
      while (!reached.getAsBoolean()) {
        if (left <= 0) {
          throw new AssertionError("%s: %s, %s".formatted(what, handled, signals));
        }
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      lock.unlock();
    }
  }

  /** Runs the retry line until no message is due for a long time. */
  void retryUntilDead() {
    for (int i = 0; i < 4; i++) {
      inbox.runOnce();
      clock.advance(Duration.ofMinutes(10));
    }
  }

  List<DeadLetter> deadLetters() {
    return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 100);
  }

  @Override
  public void close() {
    receiver.close();
    inbox.close();
    store.close();
  }

  /** Transactions of a database that a test can make fail. */
  static final class BreakableTransactions implements Transactions<InMemoryTransaction> {
    private final Transactions<InMemoryTransaction> real;
    volatile boolean broken;

    BreakableTransactions(Transactions<InMemoryTransaction> real) {
      this.real = real;
    }

    @Override
    public <R, E extends Exception> R call(Work<InMemoryTransaction, R, E> work) throws E {
      if (broken) {
        throw new IllegalStateException("the database is down");
      }
      return real.call(work);
    }

    @Override
    public void requireUnended(InMemoryTransaction transaction) {
      real.requireUnended(transaction);
    }

    @Override
    public Optional<InMemoryTransaction> current() {
      return real.current();
    }

    @Override
    public void afterCommit(Runnable action) {
      real.afterCommit(action);
    }
  }
}
