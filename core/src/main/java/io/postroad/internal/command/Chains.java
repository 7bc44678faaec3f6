package io.postroad.internal.command;

import io.postroad.transaction.Transactions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which chain a thread is at, if any. Safe to use from many threads. */
public final class Chains<T> {
  private final Transactions<T> transactions;

  @SuppressWarnings("ThreadLocalUsage") // one per bus: a thread may be in the chains of several
  private final ThreadLocal<@Nullable Chain<T>> chains = new ThreadLocal<>();

  public Chains(Transactions<T> transactions) {
    this.transactions = transactions;
  }

  /** A chain of this thread, until {@link #close}. */
  Chain<T> open() {
    Chain<T> chain = new Chain<>();
    chains.set(chain);
    return chain;
  }

  void close() {
    chains.remove();
  }

  /** This thread's chain, if a command that is accepted in this transaction can be its next. */
  Optional<Chain<T>> openFor(T transaction) {
    return current().filter(chain -> chain.isOpenFor(transaction));
  }

  /** A transaction of a run begins on this thread. */
  void begin(T transaction) {
    current()
        .ifPresent(
            chain -> {
              chain.begin(transaction);
              transactions.afterCommitOf(transaction, chain::committed);
            });
  }

  /** Whether this thread goes on with another command. */
  boolean goOn() {
    return current().filter(Chain::goesOn).isPresent();
  }

  void rolledBack() {
    current().ifPresent(Chain::rolledBack);
  }

  private Optional<Chain<T>> current() {
    return Optional.ofNullable(chains.get());
  }
}
