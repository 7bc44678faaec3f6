package io.postroad.mongodb.internal.client;

import com.mongodb.client.ClientSession;
import io.postroad.message.PostroadException;
import io.postroad.spi.hint.Threads;
import io.postroad.transaction.TransactionEndedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of a unit of work: a session, until it is committed or rolled back. */
final class MongoUnit {
  private static final Logger LOG = LoggerFactory.getLogger(MongoUnit.class);

  private final ClientSession session;
  private final List<Runnable> afterCommit = new ArrayList<>();
  private @Nullable Throwable innerFailure;

  /** The number of the session's transaction; the work may end it and begin another. */
  private final Optional<Long> number;

  MongoUnit(ClientSession session) {
    this.session = session;
    this.number = number();
  }

  private Optional<Long> number() {
    return session.hasActiveTransaction()
        ? Optional.of(session.getServerSession().getTransactionNumber())
        : Optional.empty();
  }

  void requireUnended() {
    if (!number.equals(number())) {
      throw new TransactionEndedException("abortTransaction() or commitTransaction()");
    }
  }

  ClientSession session() {
    return session;
  }

  void addAfterCommit(Runnable action) {
    afterCommit.add(action);
  }

  /** An inner unit has failed, so this one can no longer commit; the first failure is kept. */
  void failBecauseOf(Throwable failure) {
    if (innerFailure == null) {
      innerFailure = failure;
    }
  }

  void requireNoInnerFailure() {
    if (innerFailure == null) {
      return;
    }
    String failed =
        "a unit of work inside this one failed (%s)"
            .formatted(innerFailure.getClass().getSimpleName());
    String remedy = "; let its exception through, or do that work in a transaction of its own";
    throw new PostroadException(
        session.hasActiveTransaction()
            ? "nothing was committed: " + failed + " and was rolled back with it" + remedy
            : failed + " and without transactions nothing can be rolled back" + remedy,
        innerFailure);
  }

  /** The driver sends no abort for a thread that is interrupted, and the locks would stay. */
  void rollback(Throwable because) {
    try {
      if (session.hasActiveTransaction()) {
        Threads.uninterrupted(session::abortTransaction);
      }
    } catch (RuntimeException failed) {
      because.addSuppressed(failed);
    }
  }

  void runAfterCommit() {
    for (Runnable action : afterCommit) {
      try {
        action.run();
      } catch (RuntimeException | Error failed) {
        LOG.warn("mongodb: an action after commit failed; the commit stands", failed);
      }
    }
  }
}
