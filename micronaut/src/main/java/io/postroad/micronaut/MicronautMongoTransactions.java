package io.postroad.micronaut;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.message.PostroadException;
import io.postroad.micronaut.internal.transaction.MicronautUnits;
import io.postroad.micronaut.internal.transaction.OpeningThreads;
import io.postroad.micronaut.internal.transaction.Patience;
import io.postroad.micronaut.internal.transaction.TransactionNumbers;
import io.postroad.micronaut.internal.transaction.UnitEnding;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Units of work that are transactions of Micronaut Data on MongoDB, with the session that its
 * repositories and an injected {@code ClientSession} use, too.
 *
 * <p>Safe to use from many threads. A unit joins the transaction that its thread is in, whoever
 * began it, and otherwise begins and commits one. With {@code REQUIRES_NEW} a thread is in the new
 * one only.
 *
 * <p>A unit that began its transaction is run again as a whole when MongoDB undoes it because of a
 * write conflict or an election, for up to {@code rerunFor}; so it must be fit for that. A
 * {@code @Transactional} method of the caller is not: its caller gets the exception and calls it
 * again. An unknown result of a commit never runs the work again: the commit is repeated.
 *
 * <p>A crash before the commit leaves nothing of the transaction; a crash right after it loses the
 * {@link #afterCommit} actions, which are those of the run that was committed.
 */
public final class MicronautMongoTransactions implements Transactions<ClientSession> {
  private final MicronautUnits<ClientSession> units;
  private final Duration rerunFor;
  private final TransactionNumbers numbers = new TransactionNumbers();

  /** Units that are run again for up to 30 s. */
  public MicronautMongoTransactions(TransactionOperations<ClientSession> operations) {
    this(operations, Duration.ofSeconds(30));
  }

  /**
   * Units by these operations.
   *
   * @param operations those of the client that the stores have
   * @param rerunFor for how long a unit is run again because of transient errors, and a commit
   *     repeated whose result is unknown
   */
  public MicronautMongoTransactions(
      TransactionOperations<ClientSession> operations, Duration rerunFor) {
    this(operations, rerunFor, OpeningThreads.unknown());
  }

  /**
   * The same, and a transaction that was handed to another thread ({@code @Async}) is refused there
   * whoever comes first; without, the first thread that uses Postroad in a transaction has it.
   *
   * @param operations those of the client that the stores have
   * @param rerunFor as above
   * @param sessions those that the operations get their sessions from
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
    this.rerunFor = rerunFor;
    this.units =
        new MicronautUnits<>(
            operations,
            status -> status.getConnection().hasActiveTransaction(),
            new MongoRules(rerunFor),
            threads);
  }

  @Override
  public <R, E extends Exception> R call(Work<ClientSession, R, E> work) throws E {
    if (units.find().isPresent()) {
      return units.call(numbers.noting(work));
    }
    Patience patience = Patience.of(rerunFor);
    while (true) {
      try {
        return units.call(numbers.noting(work));
      } catch (Throwable failed) {
        if (!MongoRules.asksForAnotherRun(failed) || !patience.lasts()) {
          throw failed;
        }
      }
    }
  }

  @Override
  public void requireUnended(ClientSession transaction) {
    numbers.requireSame(transaction);
  }

  @Override
  public Optional<ClientSession> current() {
    return units.current();
  }

  @Override
  public void afterCommit(Runnable action) {
    units.afterCommit(action);
  }

  @Override
  public void afterCommitOf(ClientSession transaction, Runnable action) {
    if (units.find().filter(status -> status.getConnection() == transaction).isPresent()) {
      units.afterCommit(action);
    }
  }

  /** What the server says may be done about an error, also when it was wrapped. */
  private record MongoRules(Duration repeatFor) implements UnitEnding.Rules<ClientSession> {

    @Override
    public void requireCommittable(ClientSession transaction) {}

    /**
     * Micronaut answers a failed commit by an abort, which the driver refuses; then it says that
     * nobody knows. The commit may be repeated, and its answer tells.
     */
    @Override
    public void settle(ClientSession transaction) {
      Patience patience = Patience.of(repeatFor);
      while (true) {
        try {
          transaction.commitTransaction();
          return;
        } catch (MongoException failed) {
          if (!has(failed, MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL)) {
            throw failed;
          }
          if (!patience.lasts()) {
            throw new PostroadException(
                "the result of the commit is unknown: all of the transaction is committed or"
                    + " nothing of it; read your data before you repeat it",
                failed);
          }
        }
      }
    }

    /** The transaction was undone, and the same again may work. */
    static boolean asksForAnotherRun(Throwable error) {
      return has(error, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
          && !has(error, MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
    }

    private static boolean has(Throwable error, String label) {
      for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
        if (cause instanceof MongoException mongo && mongo.hasErrorLabel(label)) {
          return true;
        }
      }
      return false;
    }
  }
}
