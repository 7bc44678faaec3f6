package io.postroad.micronaut;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.framework.internal.transaction.MongoRuns;
import io.postroad.message.PostroadException;
import io.postroad.micronaut.internal.transaction.MicronautCompletion;
import io.postroad.micronaut.internal.transaction.MicronautTransactionRunner;
import io.postroad.micronaut.internal.transaction.OpeningThreads;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.Optional;

/**
 * Runs Postroad in the transactions of Micronaut Data on MongoDB, with the session that its
 * repositories and an injected {@code ClientSession} use.
 *
 * <p>Safe to use from many threads. A call joins the transaction that its thread is in, and
 * otherwise begins and commits one. With {@code REQUIRES_NEW} a thread is in the new transaction
 * only.
 *
 * <p>A call that began its transaction is run again as a whole when MongoDB undoes it because of a
 * write conflict or an election, for up to {@code rerunFor}; its work must allow that. A
 * {@code @Transactional} method of the application is not run again: its caller gets the exception
 * and calls it again. An unknown result of a commit never runs the work again: the commit is
 * repeated.
 *
 * <p>A crash before the commit leaves nothing of the transaction; a crash right after it loses the
 * {@link #afterCommit} actions, which are those of the run that was committed.
 */
public final class MicronautMongoTransactions implements Transactions<ClientSession> {
  private final MicronautTransactionRunner<ClientSession> runner;
  private final MongoRuns runs;

  /** Runs work again for up to 30 s. */
  public MicronautMongoTransactions(TransactionOperations<ClientSession> operations) {
    this(operations, Duration.ofSeconds(30));
  }

  /**
   * Runs work by these operations.
   *
   * @param operations of the client that the stores have
   * @param rerunFor how long work is run again because of transient errors, and a commit is
   *     repeated while its result is unknown
   */
  public MicronautMongoTransactions(
      TransactionOperations<ClientSession> operations, Duration rerunFor) {
    this(operations, rerunFor, OpeningThreads.unknown());
  }

  /**
   * Runs work by these operations, and always refuses a transaction that was passed on to another
   * thread ({@code @Async}). Without {@code sessions} it belongs to the first thread that uses
   * Postroad in it.
   *
   * @param operations of the client that the stores have
   * @param rerunFor as above
   * @param sessions from which the operations get their sessions
   */
  public MicronautMongoTransactions(
      TransactionOperations<ClientSession> operations,
      Duration rerunFor,
      ConnectionOperations<ClientSession> sessions) {
    this(operations, rerunFor, OpeningThreads.of(sessions));
  }

  private MicronautMongoTransactions(
      TransactionOperations<ClientSession> operations,
      Duration rerunFor,
      OpeningThreads<ClientSession> threads) {
    this.runs = new MongoRuns(rerunFor);
    this.runner =
        new MicronautTransactionRunner<>(
            operations,
            status -> status.getConnection().hasActiveTransaction(),
            new MongoRules(rerunFor),
            threads);
  }

  @Override
  public <R, E extends Exception> R call(Work<ClientSession, R, E> work) throws E {
    return runs.<R, E>call(runner.isInside(), runner::call, work);
  }

  @Override
  public void requireUnended(ClientSession transaction) {
    runs.requireUnended(transaction);
  }

  @Override
  public Optional<ClientSession> current() {
    return runner.current();
  }

  @Override
  public void afterCommit(Runnable action) {
    runner.afterCommit(action);
  }

  @Override
  public void afterCommitOf(ClientSession transaction, Runnable action) {
    runner.afterCommitOf(transaction, action);
  }

  private record MongoRules(Duration repeatFor)
      implements MicronautCompletion.Rules<ClientSession> {

    @Override
    public void requireCommittable(ClientSession transaction) {}

    /**
     * Repeats the commit, because its answer tells the result. Micronaut answers a failed commit by
     * an abort, which the driver refuses, and then reports the result as unknown.
     */
    @Override
    public void settle(ClientSession transaction) {
      try {
        MongoRuns.commit(repeatFor, transaction::commitTransaction);
      } catch (MongoException failed) {
        if (MongoRuns.isUnknownCommit(failed)) {
          throw new PostroadException(
              "the result of the commit is unknown: all of the transaction is committed or nothing"
                  + " of it; read your data before you repeat it",
              failed);
        }
        throw failed;
      }
    }
  }
}
