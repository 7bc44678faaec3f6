package io.postroad.micronaut;

import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.TransactionStatus;
import io.postroad.framework.internal.transaction.PostgresState;
import io.postroad.framework.internal.transaction.TransactionRefusals;
import io.postroad.internal.loop.OwnTransactions;
import io.postroad.message.PostroadException;
import io.postroad.micronaut.internal.transaction.MicronautCompletion;
import io.postroad.micronaut.internal.transaction.MicronautTransactionRunner;
import io.postroad.micronaut.internal.transaction.OpeningThreads;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs Postroad in Micronaut's transactions on a {@code DataSource}, with the connection that its
 * repositories, {@code TransactionOperations} and an injected {@code Connection} use.
 *
 * <p>Safe to use from many threads. A call joins the transaction that its thread is in, and
 * otherwise begins and commits one. With {@code REQUIRES_NEW} a thread is in the new transaction
 * only. After the beginning of its commit a transaction is over: {@code append} in a
 * synchronization of it is refused, and a call gets a transaction of its own after the commit, none
 * before it.
 *
 * <p>A crash before the commit leaves nothing of the transaction; a crash right after it loses the
 * {@link #afterCommit} actions. A failed commit throws Micronaut's exception.
 */
public final class MicronautJdbcTransactions implements Transactions<Connection> {
  private final TransactionOperations<Connection> operations;
  private final MicronautTransactionRunner<Connection> runner;
  private final OwnTransactions<Connection> own = new OwnTransactions<>();
  private final @Nullable Transactions<Connection> store;

  /**
   * Runs work by these operations.
   *
   * @param operations of the DataSource that the stores have
   */
  public MicronautJdbcTransactions(TransactionOperations<Connection> operations) {
    this(operations, null, OpeningThreads.unknown());
  }

  private MicronautJdbcTransactions(
      TransactionOperations<Connection> operations,
      @Nullable Transactions<Connection> store,
      OpeningThreads<Connection> threads) {
    this.operations = operations;
    this.runner =
        new MicronautTransactionRunner<>(
            operations, MicronautJdbcTransactions::isOpen, new JdbcRules(), threads);
    this.store = store;
  }

  /**
   * Returns the same, but {@link #together} sends several writes at once, as the store does.
   *
   * @param operations as in the constructor
   * @param store the {@code transactions()} of a store on this DataSource
   */
  public static MicronautJdbcTransactions of(
      TransactionOperations<Connection> operations, Transactions<Connection> store) {
    return new MicronautJdbcTransactions(operations, store, OpeningThreads.unknown());
  }

  /**
   * Returns the same, but a transaction that was passed on to another thread ({@code @Async}) is
   * always refused there. Without {@code connections} it belongs to the first thread that uses
   * Postroad in it.
   *
   * @param operations as in the constructor
   * @param store the {@code transactions()} of a store on this DataSource
   * @param connections from which the operations get their connections
   */
  public static MicronautJdbcTransactions of(
      TransactionOperations<Connection> operations,
      Transactions<Connection> store,
      ConnectionOperations<Connection> connections) {
    return new MicronautJdbcTransactions(operations, store, OpeningThreads.of(connections));
  }

  @Override
  public <R, E extends Exception> R call(Work<Connection, R, E> work) throws E {
    boolean isOwn = !runner.isInside();
    if (isOwn && operations.hasConnection()) {
      refuseHalfCommitted(operations.getConnection());
    }
    return runner.call(transaction -> own.call(transaction, isOwn, work));
  }

  /**
   * Refuses a call of a synchronization before the commit. It is in no transaction, but on its
   * connection: a new transaction there would commit halfway.
   */
  private static void refuseHalfCommitted(Connection connection) {
    if (PostgresState.isOpen(connection)) {
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

  /** {@inheritDoc} Does not notice it if later statements have begun another transaction. */
  @Override
  public void requireUnended(Connection transaction) {
    PostgresState.requireUnended(transaction);
  }

  @Override
  public Optional<Connection> current() {
    return runner.current();
  }

  @Override
  public void afterCommit(Runnable action) {
    runner.afterCommit(action);
  }

  @Override
  public void afterCommitOf(Connection transaction, Runnable action) {
    runner.afterCommitOf(transaction, action);
  }

  /** A scope with {@code NOT_SUPPORTED} has a connection, too, but in autocommit mode. */
  private static boolean isOpen(TransactionStatus<Connection> status) {
    try {
      return !status.getConnection().getAutoCommit();
    } catch (SQLException broken) {
      throw TransactionRefusals.brokenConnection(broken);
    }
  }

  private static final class JdbcRules implements MicronautCompletion.Rules<Connection> {

    @Override
    public void requireCommittable(Connection transaction) {
      PostgresState.requireCommittable(transaction);
    }

    /** The connection broke during the commit: only the database knows the result. */
    @Override
    public void settle(Connection transaction) {
      throw new PostroadException(
          "the result of the commit is unknown, because the connection broke: all of the"
              + " transaction is committed or nothing of it; read your data before you repeat it");
    }
  }
}
