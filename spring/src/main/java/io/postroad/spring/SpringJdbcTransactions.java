package io.postroad.spring;

import io.postroad.internal.loop.OwnTransactions;
import io.postroad.message.PostroadException;
import io.postroad.transaction.TransactionEndedException;
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
 * Units of work that are Spring's transactions on a {@code DataSource}, with the one connection
 * that JDBC, JPA and jOOQ use in them, too.
 *
 * <p>Safe to use from many threads. A unit joins the transaction of the manager that its thread is
 * in, whoever began it, and otherwise begins and commits one. With {@code REQUIRES_NEW} a thread is
 * in the new one only. In a transaction that another manager began inside of one of this manager,
 * or on the same {@code DataSource}, a unit is refused: that one commits at another time. A
 * transaction whose commit has begun is over: {@code append} in an {@code AFTER_COMMIT} listener is
 * refused, and a unit there gets a transaction of its own.
 *
 * <p>With JPA, what the persistence context holds back is flushed whenever the transaction is asked
 * for, so that the rows of the business are written, and locked, before the message: of two
 * transactions that change one row, the first one also appends first. What is changed after the
 * append is flushed later, as always.
 *
 * <p>A crash before the commit leaves nothing of the transaction; a crash right after it loses the
 * {@link #afterCommit} actions. What is thrown by a commit is the transaction manager's exception.
 */
public final class SpringJdbcTransactions implements Transactions<Connection> {
  private final DataSource dataSource;
  private final SpringUnits<Connection> units;
  private final OwnTransactions<Connection> own = new OwnTransactions<>();
  private final @Nullable Transactions<Connection> store;

  /**
   * Makes units of work of this manager's transactions.
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
    this.units =
        new SpringUnits<>(
            manager,
            this::bound,
            FailedStatement::refuse,
            "%s began a transaction, but not on the DataSource of Postroad, so nothing could be part of it: give both the same DataSource (a JpaTransactionManager finds it in its EntityManagerFactory)"
                .formatted(manager.getClass().getSimpleName()));
    this.store = store;
  }

  /**
   * The same, with the way in which a store sends several writes at once.
   *
   * @param manager as in the constructor
   * @param store the {@code transactions()} of a store on this DataSource
   */
  public static SpringJdbcTransactions of(
      PlatformTransactionManager manager, DataSource dataSource, Transactions<Connection> store) {
    return new SpringJdbcTransactions(manager, dataSource, store);
  }

  /** Transactions are bound to what is behind such a proxy. */
  private static DataSource managed(DataSource dataSource) {
    if (dataSource instanceof TransactionAwareDataSourceProxy proxy) {
      @Nullable DataSource target = proxy.getTargetDataSource();
      return target == null ? dataSource : target;
    }
    return dataSource;
  }

  @Override
  public <R, E extends Exception> R call(Work<Connection, R, E> work) throws E {
    boolean isOwn = units.find().isEmpty();
    return units.call(transaction -> own.call(transaction, isOwn, work));
  }

  @Override
  public <R, E extends Exception> R together(Connection transaction, Work<Connection, R, E> work)
      throws E {
    if (isCurrent(transaction)) {
      units.flush();
    }
    return store == null ? work.call(transaction) : store.together(transaction, work);
  }

  /** {@inheritDoc} The manager commits, in a round trip of its own. */
  @Override
  public <R, E extends Exception> R lastTogether(
      Connection transaction, Work<Connection, R, E> work) throws E {
    if (store == null || !own.isOutermost(transaction)) {
      return together(transaction, work);
    }
    units.flush();
    return store.lastTogether(transaction, work);
  }

  /**
   * {@inheritDoc} Knows of a transaction that the work has ended, unless statements came after that
   * which began another.
   */
  @Override
  public void requireUnended(Connection transaction) {
    if (FailedStatement.isIdle(transaction)) {
      throw new TransactionEndedException("rollback() or commit(), in Java or as SQL,");
    }
  }

  @Override
  public Optional<Connection> current() {
    return units.current();
  }

  @Override
  public void afterCommit(Runnable action) {
    units.afterCommit(action);
  }

  @Override
  public void afterCommitOf(Connection transaction, Runnable action) {
    if (isCurrent(transaction)) {
      units.afterCommit(action);
    }
  }

  private boolean isCurrent(Connection transaction) {
    return units.find().filter(current -> current == transaction).isPresent();
  }

  /** A connection in autocommit is there for a transaction of something else. */
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
      throw new PostroadException(
          "the connection of this transaction cannot be used any more; nothing was written",
          broken);
    }
  }
}
