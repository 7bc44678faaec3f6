package io.postroad.micronaut;

import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.TransactionStatus;
import io.postroad.internal.loop.OwnTransactions;
import io.postroad.message.PostroadException;
import io.postroad.micronaut.internal.transaction.FailedStatement;
import io.postroad.micronaut.internal.transaction.MicronautUnits;
import io.postroad.micronaut.internal.transaction.OpeningThreads;
import io.postroad.micronaut.internal.transaction.UnitEnding;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.TransactionEndedException;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Units of work that are Micronaut's transactions on a {@code DataSource}, with the one connection
 * that its repositories, {@code TransactionOperations} and an injected {@code Connection} use, too.
 *
 * <p>Safe to use from many threads. A unit joins the transaction that its thread is in, whoever
 * began it, and otherwise begins and commits one. With {@code REQUIRES_NEW} a thread is in the new
 * one only. A transaction whose commit has begun is over: {@code append} in a synchronization of it
 * is refused, and a unit gets a transaction of its own after the commit, none before it.
 *
 * <p>A crash before the commit leaves nothing of the transaction; a crash right after it loses the
 * {@link #afterCommit} actions. What is thrown by a commit is Micronaut's exception.
 */
public final class MicronautJdbcTransactions implements Transactions<Connection> {
  private final TransactionOperations<Connection> operations;
  private final MicronautUnits<Connection> units;
  private final OwnTransactions<Connection> own = new OwnTransactions<>();
  private final @Nullable Transactions<Connection> store;

  /**
   * Units of work by these operations.
   *
   * @param operations those of the DataSource that the stores have
   */
  public MicronautJdbcTransactions(TransactionOperations<Connection> operations) {
    this(operations, null, OpeningThreads.unknown());
  }

  private MicronautJdbcTransactions(
      TransactionOperations<Connection> operations,
      @Nullable Transactions<Connection> store,
      OpeningThreads<Connection> threads) {
    this.operations = operations;
    this.units =
        new MicronautUnits<>(
            operations, MicronautJdbcTransactions::isOpen, new JdbcRules(), threads);
    this.store = store;
  }

  /**
   * The same, with the way in which a store sends several writes at once.
   *
   * @param operations as in the constructor
   * @param store the {@code transactions()} of a store on this DataSource
   */
  public static MicronautJdbcTransactions of(
      TransactionOperations<Connection> operations, Transactions<Connection> store) {
    return new MicronautJdbcTransactions(operations, store, OpeningThreads.unknown());
  }

  /**
   * The same, and a transaction that was handed to another thread ({@code @Async}) is refused there
   * whoever comes first; without, the first thread that uses Postroad in a transaction has it.
   *
   * @param operations as in the constructor
   * @param store the {@code transactions()} of a store on this DataSource
   * @param connections those that the operations get their connections from
   */
  public static MicronautJdbcTransactions of(
      TransactionOperations<Connection> operations,
      Transactions<Connection> store,
      ConnectionOperations<Connection> connections) {
    return new MicronautJdbcTransactions(operations, store, OpeningThreads.of(connections));
  }

  @Override
  public <R, E extends Exception> R call(Work<Connection, R, E> work) throws E {
    boolean isOwn = units.find().isEmpty();
    if (isOwn && operations.hasConnection()) {
      refuseHalfCommitted(operations.getConnection());
    }
    return units.call(transaction -> own.call(transaction, isOwn, work));
  }

  /**
   * A synchronization that is called before the commit is in no transaction, but on its connection:
   * what begins there would commit halfway what others may still roll back.
   */
  private static void refuseHalfCommitted(Connection connection) {
    if (FailedStatement.isOpen(connection)) {
      throw new NoTransactionException(
          "the transaction on this connection is about to commit, so nothing can be part of it, and"
              + " one of its own would commit it halfway; nothing was written. Do this before the"
              + " transactional method returns, or after the commit");
    }
  }

  @Override
  public <R, E extends Exception> R together(Connection transaction, Work<Connection, R, E> work)
      throws E {
    return store == null ? work.call(transaction) : store.together(transaction, work);
  }

  /** {@inheritDoc} Micronaut commits, in a round trip of its own. */
  @Override
  public <R, E extends Exception> R lastTogether(
      Connection transaction, Work<Connection, R, E> work) throws E {
    return store == null || !own.isOutermost(transaction)
        ? together(transaction, work)
        : store.lastTogether(transaction, work);
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
    if (units.find().filter(status -> status.getConnection() == transaction).isPresent()) {
      units.afterCommit(action);
    }
  }

  /** {@code NOT_SUPPORTED} has a connection, too; but in autocommit. */
  private static boolean isOpen(TransactionStatus<Connection> status) {
    try {
      return !status.getConnection().getAutoCommit();
    } catch (SQLException broken) {
      throw new PostroadException(
          "the connection of this transaction cannot be used any more; nothing was written",
          broken);
    }
  }

  private static final class JdbcRules implements UnitEnding.Rules<Connection> {

    @Override
    public void requireCommittable(Connection transaction) {
      FailedStatement.refuse(transaction);
    }

    /** The connection broke in the commit: only the database knows. */
    @Override
    public void settle(Connection transaction) {
      throw new PostroadException(
          "the result of the commit is unknown, because the connection broke: all of the"
              + " transaction is committed or nothing of it; read your data before you repeat it");
    }
  }
}
