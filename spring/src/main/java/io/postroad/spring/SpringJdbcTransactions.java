package io.postroad.spring;

import io.postroad.framework.internal.transaction.PostgresState;
import io.postroad.framework.internal.transaction.TransactionRefusals;
import io.postroad.internal.loop.OwnTransactions;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs Postroad in Spring's transactions on a {@code DataSource}, with the connection that JDBC,
 * JPA and jOOQ use in them.
 *
 * <p>Safe to use from many threads. A call joins the transaction of the manager that its thread is
 * in, and otherwise begins and commits one. With {@code REQUIRES_NEW} a thread is in the new
 * transaction only. A call is refused in a transaction that another manager began, on the same
 * {@code DataSource} or inside of one of this manager: it commits at another time. After the
 * beginning of its commit a transaction is over: {@code append} in an {@code AFTER_COMMIT} listener
 * is refused, and a call there gets a transaction of its own.
 *
 * <p>With JPA, {@link #flush}, {@link #together} and a call that joins flush the persistence
 * context, so that the rows of the business are written, and locked, before the message: of two
 * transactions that change one row, the first one also appends first. Later changes are flushed at
 * the commit.
 *
 * <p>A crash before the commit leaves nothing of the transaction; a crash right after it loses the
 * {@link #afterCommit} actions. A failed commit throws the exception of the transaction manager.
 */
public final class SpringJdbcTransactions implements Transactions<Connection> {
  private final DataSource dataSource;
  private final SpringTransactionRunner<Connection> runner;
  private final OwnTransactions<Connection> own = new OwnTransactions<>();
  private final @Nullable Transactions<Connection> store;

  /**
   * Runs work in the transactions of this manager.
   *
   * @param manager a {@code DataSourceTransactionManager}, {@code JpaTransactionManager} or other
   *     one that binds the connections of {@code dataSource}; a chain of managers must have the one
   *     of {@code dataSource} last, so that actions after the commit run after its commit
   * @param dataSource the one that the manager and the stores have
   */
  public SpringJdbcTransactions(PlatformTransactionManager manager, DataSource dataSource) {
    this(manager, dataSource, null);
  }

  private SpringJdbcTransactions(
      PlatformTransactionManager manager,
      DataSource dataSource,
      @Nullable Transactions<Connection> store) {
    this.dataSource = managed(dataSource);
    this.runner =
        new SpringTransactionRunner<>(
            manager,
            this::bound,
            PostgresState::requireCommittable,
            "%s began a transaction, but not on the DataSource of Postroad, so nothing could be part of it: give both the same DataSource (a JpaTransactionManager finds it in its EntityManagerFactory)"
                .formatted(manager.getClass().getSimpleName()));
    this.store = store;
  }

  /**
   * Returns the same, but {@link #together} sends several writes at once, as the store does.
   *
   * @param manager as in the constructor
   * @param store the {@code transactions()} of a store on this DataSource
   */
  public static SpringJdbcTransactions of(
      PlatformTransactionManager manager, DataSource dataSource, Transactions<Connection> store) {
    return new SpringJdbcTransactions(manager, dataSource, store);
  }

  /** Returns the target of a proxy, because transactions are bound to the target. */
  private static DataSource managed(DataSource dataSource) {
    if (dataSource instanceof TransactionAwareDataSourceProxy proxy) {
      @Nullable DataSource target = proxy.getTargetDataSource();
      return target == null ? dataSource : target;
    }
    return dataSource;
  }

  @Override
  public <R, E extends Exception> R call(Work<Connection, R, E> work) throws E {
    boolean isOwn = !runner.isInside();
    return runner.call(transaction -> own.call(transaction, isOwn, work));
  }

  @Override
  public <R, E extends Exception> R together(Connection transaction, Work<Connection, R, E> work)
      throws E {
    flush(transaction);
    return store == null ? work.call(transaction) : store.together(transaction, work);
  }

  /** {@inheritDoc} The manager commits, in a round trip of its own. */
  @Override
  public <R, E extends Exception> R lastTogether(
      Connection transaction, Work<Connection, R, E> work) throws E {
    if (store == null || !own.isOutermost(transaction)) {
      return together(transaction, work);
    }
    flush(transaction);
    return store.lastTogether(transaction, work);
  }

  /** {@inheritDoc} Does not notice it if later statements have begun another transaction. */
  @Override
  public void requireUnended(Connection transaction) {
    PostgresState.requireUnended(transaction);
  }

  @Override
  public Optional<Connection> current() {
    return runner.current();
  }

  /** Writes the changes that JPA holds back for this transaction. */
  @Override
  public void flush(Connection transaction) {
    runner.flush(transaction);
  }

  @Override
  public void afterCommit(Runnable action) {
    runner.afterCommit(action);
  }

  @Override
  public void afterCommitOf(Connection transaction, Runnable action) {
    runner.afterCommitOf(transaction, action);
  }

  /** A connection in autocommit mode is bound for another purpose than a transaction. */
  private Optional<Connection> bound() {
    if (TransactionSynchronizationManager.getResource(dataSource) == null) {
      return Optional.empty();
    }
    try {
      Connection connection = DataSourceUtils.getConnection(dataSource);
      try {
        return connection.getAutoCommit() ? Optional.empty() : Optional.of(connection);
      } finally {
        DataSourceUtils.releaseConnection(connection, dataSource);
      }
    } catch (SQLException broken) {
      throw TransactionRefusals.brokenConnection(broken);
    }
  }
}
