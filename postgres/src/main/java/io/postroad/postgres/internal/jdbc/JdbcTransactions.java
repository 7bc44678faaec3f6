package io.postroad.postgres.internal.jdbc;

import io.postroad.internal.store.ThreadTransactions;
import java.sql.Connection;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Units of work on the connections of a DataSource, for services without a framework's
 * transactions.
 *
 * <p>Safe to use from many threads; a unit, with its connection, belongs to the thread that runs
 * it. The connection comes back to the DataSource with the autocommit it had, whatever happens.
 * Work must not commit, roll back or close it: a commit is refused at once, a rollback at the end
 * of the unit. A crash before the commit leaves nothing of the unit; a crash right after it loses
 * the {@link #afterCommit} actions.
 */
public final class JdbcTransactions extends ThreadTransactions<Connection, JdbcUnit> {
  private final DataSource dataSource;

  public JdbcTransactions(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  protected <R, E extends Exception> R outermost(Work<Connection, R, E> work) throws E {
    JdbcUnit unit = JdbcUnit.begin(dataSource);
    R result;
    try {
      result = within(unit, work, unit::commit);
    } catch (Throwable failed) {
      unit.rollback(failed);
      throw failed;
    } finally {
      unit.release();
    }
    unit.runAfterCommit();
    return result;
  }

  @Override
  public <R, E extends Exception> R together(Connection transaction, Work<Connection, R, E> work)
      throws E {
    return LateWrites.with(transaction, work);
  }

  /** {@inheritDoc} Sends no commit in a transaction of a framework, which commits itself. */
  @Override
  public <R, E extends Exception> R lastTogether(
      Connection transaction, Work<Connection, R, E> work) throws E {
    if (LateWrites.of(transaction).isPresent()) {
      return together(transaction, work);
    }
    Optional<JdbcUnit> unit = unitOf(transaction);
    if (unit.isEmpty()) {
      return LateWrites.withoutCommit(transaction, work);
    }
    return unit.get().isCommittable()
        ? LateWrites.withCommit(unit.get(), work)
        : together(transaction, work);
  }
}
