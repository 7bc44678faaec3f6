package io.postroad.internal.store;

import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Units of work that belong to the thread that runs them.
 *
 * @param <T> the transaction type of the database
 * @param <U> the unit of work of the database
 */
public abstract class ThreadTransactions<T, U extends UnitOfWork<T>> implements Transactions<T> {

  @SuppressWarnings("ThreadLocalUsage") // one per database, not one per process
  private final ThreadLocal<@Nullable U> units = new ThreadLocal<>();

  @Override
  public final <R, E extends Exception> R call(Work<T, R, E> work) throws E {
    @Nullable U outer = units.get();
    return outer == null ? outermost(work) : outer.join(work);
  }

  /** Begins a transaction, runs the work in it with {@link #within}, and ends it. */
  protected abstract <R, E extends Exception> R outermost(Work<T, R, E> work) throws E;

  /** Runs the work and then the commit, as the current unit of this thread. */
  protected final <R, E extends Exception> R within(U unit, Work<T, R, E> work, Runnable commit)
      throws E {
    units.set(unit);
    try {
      R result = work.call(unit.transaction());
      commit.run();
      return result;
    } finally {
      units.remove();
    }
  }

  /** Returns the unit of this thread that has this transaction. */
  protected final Optional<U> unitOf(T transaction) {
    return Optional.ofNullable(units.get()).filter(unit -> unit.transaction() == transaction);
  }

  @Override
  public final void requireUnended(T transaction) {
    unitOf(transaction).ifPresent(UnitOfWork::requireUnended);
  }

  @Override
  public final Optional<T> current() {
    return Optional.ofNullable(units.get()).map(UnitOfWork::transaction);
  }

  @Override
  public final void afterCommit(Runnable action) {
    @Nullable U unit = units.get();
    if (unit == null) {
      throw new NoTransactionException(
          "afterCommit needs a unit of work on this thread; call it inside Transactions.run(..)");
    }
    unit.afterCommit(action);
  }
}
