package io.postroad.internal.store;

import io.postroad.message.PostroadException;
import io.postroad.transaction.Transactions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outermost unit of work of a thread: its transaction, the actions after its commit, and the
 * first failure of a unit inside it. Used by one thread.
 *
 * @param <T> the transaction type of the database
 */
public abstract class UnitOfWork<T> {
  private static final Logger LOG = LoggerFactory.getLogger(UnitOfWork.class);

  private final T transaction;
  private final List<Runnable> afterCommit = new ArrayList<>();
  private @Nullable Throwable innerFailure;
  private int depth;

  protected UnitOfWork(T transaction) {
    this.transaction = transaction;
  }

  /** Returns the transaction as the work of this unit sees it. */
  public final T transaction() {
    return transaction;
  }

  /**
   * Checks that the work has not ended the transaction itself.
   *
   * @throws io.postroad.transaction.TransactionEndedException if it has
   */
  public abstract void requireUnended();

  final void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  /** Runs a unit inside this one. If it throws, this unit can no longer commit. */
  final <R, E extends Exception> R join(Transactions.Work<T, R, E> work) throws E {
    depth++;
    try {
      return work.call(transaction);
    } catch (Throwable failed) {
      if (innerFailure == null) {
        innerFailure = failed;
      }
      throw failed;
    } finally {
      depth--;
    }
  }

  /** Returns whether no inner unit is running or has failed. */
  protected final boolean isAlone() {
    return depth == 0 && innerFailure == null;
  }

  /**
   * Refuses to commit after an inner unit has failed.
   *
   * @param transactional false in a mode of the store without transactions
   */
  protected final void requireNoInnerFailure(boolean transactional) {
    if (innerFailure == null) {
      return;
    }
    String failed =
        "a unit of work inside this one failed (%s)"
            .formatted(innerFailure.getClass().getSimpleName());
    throw new PostroadException(
        (transactional
                ? "nothing was committed: " + failed + " and was rolled back with it"
                : failed + " and without transactions nothing can be rolled back")
            + "; let its exception through, or do that work in a transaction of its own",
        innerFailure);
  }

  /** Runs the actions of {@link Transactions#afterCommit}. */
  public final void runAfterCommit() {
    for (Runnable action : afterCommit) {
      try {
        action.run();
      } catch (RuntimeException | Error failed) {
        LOG.warn("an action after commit failed; the commit stands", failed);
      }
    }
  }
}
