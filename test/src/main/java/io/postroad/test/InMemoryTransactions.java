package io.postroad.test;

import io.postroad.internal.store.ThreadTransactions;
import io.postroad.internal.store.UnitOfWork;
import io.postroad.transaction.TransactionEndedException;

/** Units of work, one per thread. */
final class InMemoryTransactions
    extends ThreadTransactions<InMemoryTransaction, InMemoryTransactions.Unit> {
  private final Database database;

  InMemoryTransactions(Database database) {
    this.database = database;
  }

  @Override
  protected <R, E extends Exception> R outermost(Work<InMemoryTransaction, R, E> work) throws E {
    InMemoryTransaction transaction = new InMemoryTransaction(database);
    Unit unit = new Unit(transaction);
    R result;
    try (transaction) {
      result = within(unit, work, unit::commit);
    }
    unit.runAfterCommit();
    return result;
  }

  /** The outermost unit of a thread. */
  static final class Unit extends UnitOfWork<InMemoryTransaction> {
    Unit(InMemoryTransaction transaction) {
      super(transaction);
    }

    @Override
    public void requireUnended() {
      if (transaction().hasEnded()) {
        throw new TransactionEndedException("commit() or rollback()");
      }
    }

    void commit() {
      requireNoInnerFailure(true);
      transaction().commit();
    }
  }
}
