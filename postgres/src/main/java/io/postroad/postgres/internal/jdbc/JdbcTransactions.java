package io.postroad.postgres.internal.jdbc;

import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

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
public final class JdbcTransactions implements Transactions<Connection> {
  private final DataSource dataSource;

  @SuppressWarnings("ThreadLocalUsage") // one per database, not one per process
  private final ThreadLocal<@Nullable JdbcUnit> units = new ThreadLocal<>();

  public JdbcTransactions(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  public <R, E extends Exception> R call(Work<Connection, R, E> work) throws E {
    @Nullable JdbcUnit outer = units.get();
    return outer == null ? outermost(work) : joined(outer, work);
  }

  private <R, E extends Exception> R outermost(Work<Connection, R, E> work) throws E {
    JdbcUnit unit = JdbcUnit.begin(dataSource);
    R result;
    units.set(unit);
    try {
      result = work.call(unit.connection());
      unit.commit();
    } catch (Throwable failed) {
      unit.rollback(failed);
      throw failed;
    } finally {
      units.remove();
      unit.release();
    }
    unit.runAfterCommit();
    return result;
  }

  private static <R, E extends Exception> R joined(JdbcUnit outer, Work<Connection, R, E> work)
      throws E {
    outer.enter();
    try {
      return work.call(outer.connection());
    } catch (Throwable failed) {
      outer.failBecauseOf(failed);
      throw failed;
    } finally {
      outer.leave();
    }
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
    @Nullable JdbcUnit unit = units.get();
    if (unit == null || unit.connection() != transaction) {
      return LateWrites.withoutCommit(transaction, work);
    }
    return unit.isCommittable() ? LateWrites.withCommit(unit, work) : together(transaction, work);
  }

  @Override
  public void requireUnended(Connection transaction) {
    @Nullable JdbcUnit unit = units.get();
    if (unit != null && unit.connection() == transaction) {
      unit.requireUnended();
    }
  }

  @Override
  public Optional<Connection> current() {
    return Optional.ofNullable(units.get()).map(JdbcUnit::connection);
  }

  @Override
  public void afterCommit(Runnable action) {
    @Nullable JdbcUnit unit = units.get();
    if (unit == null) {
      throw new NoTransactionException(
          "afterCommit needs a unit of work on this thread; call it inside Transactions.run(..)");
    }
    unit.addAfterCommit(action);
  }
}
