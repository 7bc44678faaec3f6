package io.postroad.framework.internal.transaction;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import io.postroad.transaction.TransactionEndedException;
import io.postroad.transaction.Transactions.Work;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions on MongoDB as its server asks for: the whole transaction again after a write
 * conflict or an election, only the commit again while its result is unknown. Safe to use from many
 * threads.
 */
public final class MongoRuns {
  private final Duration rerunFor;

  @SuppressWarnings("ThreadLocalUsage") // one per database, not one per process
  private final ThreadLocal<@Nullable Begun> begun = new ThreadLocal<>();

  /** A session counts its transactions, so that another transaction has another number. */
  private record Begun(ClientSession session, Optional<Long> number) {}

  /** Runs work in a transaction of the framework. */
  public interface Runner<R, E extends Exception> {
    R call(Work<ClientSession, R, E> work) throws E;
  }

  /**
   * @param rerunFor how long a transaction is run again because of transient errors
   */
  public MongoRuns(Duration rerunFor) {
    this.rerunFor = rerunFor;
  }

  /**
   * Runs work, again if the server asks for it and the work does not join a transaction.
   *
   * @throws TransactionEndedException when the work has ended its transaction itself
   */
  public <R, E extends Exception> R call(
      boolean isJoining, Runner<R, E> runner, Work<ClientSession, R, E> work) throws E {
    Patience patience = new Patience(rerunFor);
    while (true) {
      try {
        return runner.call(session -> watched(session, work));
      } catch (Throwable failed) {
        if (isJoining || !asksForAnotherRun(failed) || !patience.lasts()) {
          throw failed;
        }
      }
    }
  }

  private <R, E extends Exception> R watched(ClientSession session, Work<ClientSession, R, E> work)
      throws E {
    @Nullable Begun outer = begun.get();
    begun.set(new Begun(session, number(session)));
    try {
      R result = work.call(session);
      requireUnended(session);
      return result;
    } finally {
      begun.set(outer);
    }
  }

  /** Refuses to go on after the work has ended the transaction itself. */
  public void requireUnended(ClientSession session) {
    @Nullable Begun known = begun.get();
    if (known != null && known.session() == session && !known.number().equals(number(session))) {
      throw new TransactionEndedException("abortTransaction() or commitTransaction()");
    }
  }

  private static Optional<Long> number(ClientSession session) {
    return session.hasActiveTransaction()
        ? Optional.of(session.getServerSession().getTransactionNumber())
        : Optional.empty();
  }

  /** Commits, and repeats it while the result is unknown: a repeated commit is safe. */
  public static void commit(Duration repeatFor, Runnable commit) {
    Patience patience = new Patience(repeatFor);
    while (true) {
      try {
        commit.run();
        return;
      } catch (MongoException failed) {
        if (!isUnknownCommit(failed) || !patience.lasts()) {
          throw failed;
        }
      }
    }
  }

  /** Returns whether the server does not know if it has committed. */
  public static boolean isUnknownCommit(Throwable error) {
    return hasLabel(error, MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
  }

  /** Returns whether the server has undone the transaction, and another run may succeed. */
  public static boolean asksForAnotherRun(Throwable error) {
    return hasLabel(error, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
        && !isUnknownCommit(error);
  }

  /** Looks for the label of the server in all causes, because frameworks wrap exceptions. */
  private static boolean hasLabel(Throwable error, String label) {
    for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof MongoException mongo && mongo.hasErrorLabel(label)) {
        return true;
      }
    }
    return false;
  }
}
