package io.postroad.test;

import io.postroad.message.PostroadException;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.TransactionEndedException;
import io.postroad.transaction.Transactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Units of work, one per thread. */
final class InMemoryTransactions implements Transactions<InMemoryTransaction> {
  private static final Logger LOG = LoggerFactory.getLogger(InMemoryTransactions.class);

  private final Database database;

  @SuppressWarnings("ThreadLocalUsage") // a thread may be in units of several stores
  private final ThreadLocal<@Nullable Unit> units = new ThreadLocal<>();

  InMemoryTransactions(Database database) {
    this.database = database;
  }

  @Override
  public <R, E extends Exception> R call(Work<InMemoryTransaction, R, E> work) throws E {
    Unit outer = units.get();
    return outer == null ? callOutermost(work) : callInside(outer, work);
  }

  private <R, E extends Exception> R callOutermost(Work<InMemoryTransaction, R, E> work) throws E {
    Unit unit = new Unit(new InMemoryTransaction(database));
    R result;
    units.set(unit);
    try (InMemoryTransaction transaction = unit.transaction) {
      result = work.call(transaction);
      unit.commit();
    } finally {
      units.remove();
    }
    unit.afterCommit.forEach(InMemoryTransactions::runGuarded);
    return result;
  }

  private static <R, E extends Exception> R callInside(
      Unit outer, Work<InMemoryTransaction, R, E> work) throws E {
    try {
      return work.call(outer.transaction);
    } catch (Throwable failure) {
      outer.innerFailure = failure;
      throw failure;
    }
  }

  private static void runGuarded(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      LOG.warn("in-memory: an action after a commit failed; the commit stands", e);
    }
  }

  @Override
  public void requireUnended(InMemoryTransaction transaction) {
    if (transaction.hasEnded()) {
      throw new TransactionEndedException("commit() or rollback()");
    }
  }

  @Override
  public Optional<InMemoryTransaction> current() {
    return Optional.ofNullable(units.get()).map(unit -> unit.transaction);
  }

  @Override
  public void afterCommit(Runnable action) {
    Unit unit = units.get();
    if (unit == null) {
      throw new NoTransactionException(
          "afterCommit needs a unit of work on this thread; call it inside transactions().run");
    }
    unit.afterCommit.add(action);
  }

  /** The outermost unit of a thread. */
  private static final class Unit {
    final InMemoryTransaction transaction;
    final List<Runnable> afterCommit = new ArrayList<>();
    @Nullable Throwable innerFailure;

    Unit(InMemoryTransaction transaction) {
      this.transaction = transaction;
    }

    void commit() {
      if (innerFailure != null) {
        throw new PostroadException(
            "the unit of work was rolled back: an inner unit had failed and its exception was"
                + " swallowed; let it through, or do not do the inner work in a unit of its own",
            innerFailure);
      }
      transaction.commit();
    }
  }
}
