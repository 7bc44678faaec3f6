package io.postroad.internal.command;

import io.postroad.command.CommandOptions;
import io.postroad.internal.loop.Alarms;
import io.postroad.internal.loop.Ticker;
import io.postroad.spi.hint.Threads;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run commands: their pool, the alarm that interrupts a late one, and the chain of
 * commands that each is at. Safe to use from many threads.
 */
public final class RunThreads<T> implements AutoCloseable {
  private final Transactions<T> transactions;
  private final ExecutorService pool;
  private final Alarms alarms;
  private final Ticker ticker = Ticker.system();

  @SuppressWarnings("ThreadLocalUsage") // one per bus: a thread may be in the chains of several
  private final ThreadLocal<@Nullable Chain<T>> chains = new ThreadLocal<>();

  public RunThreads(String name, Transactions<T> transactions) {
    this.transactions = transactions;
    AtomicInteger number = new AtomicInteger();
    pool =
        Executors.newCachedThreadPool(
            body -> Threads.daemon(name + "-" + number.incrementAndGet(), body));
    alarms = new Alarms(work -> Threads.daemon(name + "-watch", work));
  }

  Ticker ticker() {
    return ticker;
  }

  void execute(Runnable work) {
    pool.execute(work);
  }

  /**
   * Interrupts this thread after {@code limit}, and runs {@code whenGivenUp} on another one if this
   * thread does not return soon after that.
   */
  Alarms.Alarm watch(Duration limit, Runnable whenGivenUp) {
    return alarms.set(limit, CommandOptions.GRACE, () -> pool.execute(whenGivenUp));
  }

  /** Begins a chain on this thread, which lasts until {@link #endChain}. */
  Chain<T> beginChain() {
    Chain<T> chain = new Chain<>();
    chains.set(chain);
    return chain;
  }

  void endChain() {
    chains.remove();
  }

  /** Returns the chain of this thread, if a command of this transaction can be its next. */
  Optional<Chain<T>> chainOpenFor(T transaction) {
    return chain().filter(chain -> chain.isOpenFor(transaction));
  }

  /** Notes that a transaction of a run begins on this thread. */
  void begin(T transaction) {
    chain()
        .ifPresent(
            chain -> {
              chain.begin(transaction);
              transactions.afterCommitOf(transaction, chain::committed);
            });
  }

  void rolledBack() {
    chain().ifPresent(Chain::rolledBack);
  }

  /** Tells whether this thread runs another command after the current one. */
  boolean goesOn() {
    return chain().filter(Chain::goesOn).isPresent();
  }

  private Optional<Chain<T>> chain() {
    return Optional.ofNullable(chains.get());
  }

  @Override
  public void close() {
    alarms.close();
    pool.shutdownNow();
  }
}
