package io.postroad.mongodb.internal.client;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import io.postroad.internal.store.ThreadTransactions;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.MongoOptions;
import java.time.Duration;
import java.util.function.Function;

/**
 * Units of work on sessions of a client, for services without a framework's transactions.
 *
 * <p>Safe to use from many threads; a unit, with its session, belongs to the thread that runs it.
 * Work must not commit, abort or close it, and must be fit to run more than once: an error that
 * MongoDB calls transient (a write conflict, an election) undoes the transaction and the whole unit
 * is run again; an unknown result of a commit repeats the commit alone. Both end after {@code
 * rerunFor}. Actions after commit are those of the run that was committed. A crash before the
 * commit leaves nothing of the unit; a crash right after it loses the {@link #afterCommit} actions.
 */
public final class MongoTransactions extends ThreadTransactions<ClientSession, MongoUnit> {
  private static final TransactionOptions OPTIONS =
      TransactionOptions.builder()
          .readConcern(ReadConcern.SNAPSHOT)
          .writeConcern(WriteConcern.MAJORITY)
          .readPreference(ReadPreference.primary())
          .build();
  private static final ClientSessionOptions SESSION =
      ClientSessionOptions.builder()
          .causallyConsistent(true)
          .defaultTransactionOptions(OPTIONS)
          .build();

  private final MongoClient client;
  private final MongoOptions.TransactionMode mode;
  private final Duration rerunFor;

  public MongoTransactions(MongoClient client, MongoOptions options) {
    this.client = client;
    this.mode = options.transactionMode();
    this.rerunFor = options.rerunFor();
  }

  @Override
  protected <R, E extends Exception> R outermost(Work<ClientSession, R, E> work) throws E {
    return mode == MongoOptions.TransactionMode.REQUIRED
        ? inTransaction(work)
        : withoutTransaction(work);
  }

  private <R, E extends Exception> R inTransaction(Work<ClientSession, R, E> work) throws E {
    Rerun rerun = new Rerun(rerunFor);
    try (ClientSession session = begin()) {
      while (true) {
        session.startTransaction(OPTIONS);
        MongoUnit unit = new MongoUnit(session);
        R result;
        try {
          result =
              within(
                  unit,
                  work,
                  () -> {
                    unit.requireCommittable();
                    commit(session, rerun);
                  });
        } catch (Throwable failed) {
          unit.rollback(failed);
          if (MongoErrors.isTransient(failed) && rerun.mayGoOn()) {
            continue;
          }
          throw failed;
        }
        unit.runAfterCommit();
        return result;
      }
    }
  }

  /** Without transactions there is nothing to commit and nothing that could be undone. */
  private <R, E extends Exception> R withoutTransaction(Work<ClientSession, R, E> work) throws E {
    R result;
    MongoUnit unit;
    try (ClientSession session = begin()) {
      unit = new MongoUnit(session);
      result = within(unit, work, unit::finish);
    }
    unit.runAfterCommit();
    return result;
  }

  private ClientSession begin() {
    return Database.call("begin a transaction", () -> client.startSession(SESSION));
  }

  /**
   * Commits. Once a result is unknown it stays so, whatever is wrong with the commit after it. A
   * thread that is interrupted does not know whether the commit was sent.
   */
  private static void commit(ClientSession session, Rerun rerun) {
    boolean unknown = false;
    while (true) {
      try {
        session.commitTransaction();
        return;
      } catch (MongoException failed) {
        boolean mayRepeat = MongoErrors.isUnknownCommit(failed);
        unknown |= mayRepeat || failed instanceof MongoInterruptedException;
        if (!unknown || (!mayRepeat && MongoErrors.isTransient(failed))) {
          throw MongoErrors.inTransaction("commit the transaction", failed);
        }
        if (!mayRepeat || !rerun.mayGoOn()) {
          throw new PostroadException(
              "the result of the commit is unknown: all of the transaction is committed or nothing"
                  + " of it; read your data before you repeat it",
              failed);
        }
      }
    }
  }

  /** Runs a verb of our own; an error of the driver becomes one that says {@code what} failed. */
  public <R> R transact(String what, Function<ClientSession, R> work) {
    return Database.call(what, () -> this.<R, RuntimeException>call(work::apply));
  }
}
