package io.postroad.micronaut.internal.transaction;

import io.micronaut.transaction.TransactionStatus;
import io.micronaut.transaction.support.TransactionSynchronization;
import io.postroad.framework.internal.transaction.TransactionCompletion;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The completion of one transaction of Micronaut. Used by the thread that runs the transaction.
 *
 * @param <T> the transaction type: a connection or a session
 */
public final class MicronautCompletion<T> {

  /** Knows what a database does at the end of a transaction, beyond what Micronaut knows. */
  public interface Rules<T> {

    /** Throws when the transaction cannot be committed, although Micronaut would try. */
    void requireCommittable(T transaction);

    /**
     * Finds out the result of a commit that Micronaut does not know; returns if it is committed.
     *
     * @throws RuntimeException if it is not, or the result stays unknown
     */
    void settle(T transaction);
  }

  private final T transaction;
  private final Rules<T> rules;
  private final Map<T, MicronautCompletion<T>> all;
  private final boolean ofPostroad;
  private final Thread thread = Thread.currentThread();
  private final TransactionCompletion completion = new TransactionCompletion();
  private @Nullable RuntimeException commitFailure;

  /**
   * @param all holds the completions of all open transactions
   * @param ofPostroad whether Postroad began the transaction, and so runs the actions itself, after
   *     the transaction has left the thread
   */
  MicronautCompletion(
      T transaction, Rules<T> rules, Map<T, MicronautCompletion<T>> all, boolean ofPostroad) {
    this.transaction = transaction;
    this.rules = rules;
    this.all = all;
    this.ofPostroad = ofPostroad;
  }

  MicronautCompletion<T> registeredIn(TransactionStatus<T> status) {
    status.registerSynchronization(new Outcome());
    status.registerSynchronization(new Check());
    all.put(transaction, this);
    return this;
  }

  TransactionCompletion completion() {
    return completion;
  }

  /** Returns the first thread that used Postroad in the transaction. */
  Thread thread() {
    return thread;
  }

  /** Returns the reason of a failed commit, where the database knows it better than Micronaut. */
  @Nullable RuntimeException commitFailure() {
    return commitFailure;
  }

  /** Is called first: if another synchronization throws, Micronaut does not call the rest. */
  private final class Outcome implements TransactionSynchronization {
    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }

    /** Only notes the commit: an exception here would reach the caller. */
    @Override
    public void afterCommit() {
      all.remove(transaction);
      completion.complete(true);
    }

    @Override
    public void afterCompletion(Status status) {
      all.remove(transaction);
      completion.complete(status == Status.COMMITTED || (status == Status.UNKNOWN && isSettled()));
      if (completion.isCommitted() && !ofPostroad) {
        completion.runActions();
      }
    }

    private boolean isSettled() {
      try {
        rules.settle(transaction);
        return true;
      } catch (RuntimeException failed) {
        commitFailure = failed;
        return false;
      }
    }
  }

  /** Is called last, after all synchronizations that may still write. */
  private final class Check implements TransactionSynchronization {
    @Override
    public int getOrder() {
      return LOWEST_PRECEDENCE;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
      // Micronaut does not mark a NESTED transaction as failed.
      completion.requireNoFailure();
      rules.requireCommittable(transaction);
    }
  }
}
