package io.postroad.spring;

import com.mongodb.client.ClientSession;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;

/**
 * Units of work that are Spring's transactions on MongoDB, with the session that {@code
 * MongoTemplate} and repositories use in them, too.
 *
 * <p>Safe to use from many threads. A unit joins the transaction of the manager that its thread is
 * in, whoever began it, and otherwise begins and commits one. With {@code REQUIRES_NEW} a thread is
 * in the new one only. In a transaction that another manager began inside of one of this manager a
 * unit is refused: that one commits at another time. A transaction whose commit has begun is over:
 * {@code append} in an {@code AFTER_COMMIT} listener is refused, and a unit there gets a
 * transaction of its own.
 *
 * <p>A unit that began its transaction is run again as a whole when MongoDB undoes it because of a
 * write conflict or an election, for up to {@code rerunFor}; so it must be fit for that. A
 * {@code @Transactional} method of the caller is not: its caller gets the exception and calls it
 * again. An unknown result of a commit never runs the work again; {@link
 * PatientMongoTransactionManager} repeats the commit.
 *
 * <p>A crash before the commit leaves nothing of the transaction; a crash right after it loses the
 * {@link #afterCommit} actions, which are those of the run that was committed.
 */
public final class SpringMongoTransactions implements Transactions<ClientSession> {
  private final SpringUnits<ClientSession> units;
  private final Duration rerunFor;
  private final TransactionNumbers numbers = new TransactionNumbers();

  /** Units that are run again for up to 30 s. */
  public SpringMongoTransactions(MongoTransactionManager manager) {
    this(manager, Duration.ofSeconds(30));
  }

  /**
   * @param manager with its database factory, and write concern majority
   * @param rerunFor for how long a unit is run again because of transient errors
   */
  public SpringMongoTransactions(MongoTransactionManager manager, Duration rerunFor) {
    @Nullable MongoDatabaseFactory factory = manager.getDatabaseFactory();
    if (factory == null) {
      throw new IllegalArgumentException(
          "the MongoTransactionManager has no MongoDatabaseFactory; set it first");
    }
    this.rerunFor = rerunFor;
    this.units =
        new SpringUnits<>(
            manager,
            () -> BoundSession.of(factory),
            session -> {},
            "%s began a transaction without a session of its MongoDatabaseFactory; nothing was done"
                .formatted(manager.getClass().getSimpleName()));
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
        if (!MongoLabels.asksForAnotherRun(failed) || !patience.lasts()) {
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
    if (units.find().filter(current -> current == transaction).isPresent()) {
      units.afterCommit(action);
    }
  }
}
