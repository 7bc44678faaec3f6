package io.postroad.spring;

import com.mongodb.client.ClientSession;
import io.postroad.framework.internal.transaction.MongoRuns;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;

/**
 * Runs Postroad in Spring's transactions on MongoDB, with the session that {@code MongoTemplate}
 * and repositories use in them.
 *
 * <p>Safe to use from many threads. A call joins the transaction of the manager that its thread is
 * in, and otherwise begins and commits one. With {@code REQUIRES_NEW} a thread is in the new
 * transaction only. A call is refused in a transaction that another manager began inside of one of
 * this manager: it commits at another time. After the beginning of its commit a transaction is
 * over: {@code append} in an {@code AFTER_COMMIT} listener is refused, and a call there gets a
 * transaction of its own.
 *
 * <p>A call that began its transaction is run again as a whole when MongoDB undoes it because of a
 * write conflict or an election, for up to {@code rerunFor}; its work must allow that. A
 * {@code @Transactional} method of the application is not run again: its caller gets the exception
 * and calls it again. An unknown result of a commit never runs the work again; {@link
 * PatientMongoTransactionManager} repeats the commit.
 *
 * <p>A crash before the commit leaves nothing of the transaction; a crash right after it loses the
 * {@link #afterCommit} actions, which are those of the run that was committed.
 */
public final class SpringMongoTransactions implements Transactions<ClientSession> {
  private final SpringTransactionRunner<ClientSession> runner;
  private final MongoRuns runs;

  /** Runs work again for up to 30 s. */
  public SpringMongoTransactions(MongoTransactionManager manager) {
    this(manager, Duration.ofSeconds(30));
  }

  /**
   * @param manager with its database factory, and write concern majority
   * @param rerunFor how long work is run again because of transient errors
   */
  public SpringMongoTransactions(MongoTransactionManager manager, Duration rerunFor) {
    @Nullable MongoDatabaseFactory factory = manager.getDatabaseFactory();
    if (factory == null) {
      throw new IllegalArgumentException(
          "the MongoTransactionManager has no MongoDatabaseFactory; set it first");
    }
    this.runs = new MongoRuns(rerunFor);
    this.runner =
        new SpringTransactionRunner<>(
            manager,
            () -> BoundSession.of(factory),
            session -> {},
            "%s began a transaction without a session of its MongoDatabaseFactory; nothing was done"
                .formatted(manager.getClass().getSimpleName()));
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
}
