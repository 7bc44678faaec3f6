package io.postroad.mongodb.internal.client;

import com.mongodb.client.ClientSession;
import io.postroad.internal.store.UnitOfWork;
import io.postroad.spi.hint.Threads;
import io.postroad.transaction.TransactionEndedException;
import java.util.Optional;

/** One run of a unit of work: a session, until it is committed or rolled back. */
final class MongoUnit extends UnitOfWork<ClientSession> {

  /** The number of the session's transaction; the work may end it and begin another. */
  private final Optional<Long> number;

  MongoUnit(ClientSession session) {
    super(session);
    this.number = number();
  }

  private Optional<Long> number() {
    return transaction().hasActiveTransaction()
        ? Optional.of(transaction().getServerSession().getTransactionNumber())
        : Optional.empty();
  }

  @Override
  public void requireUnended() {
    if (!number.equals(number())) {
      throw new TransactionEndedException("abortTransaction() or commitTransaction()");
    }
  }

  /** Refuses to go on to the commit when the work or an inner unit has spoilt it. */
  void requireCommittable() {
    requireNoInnerFailure(true);
    requireUnended();
  }

  /** Ends a unit without a transaction, where nothing can be rolled back. */
  void finish() {
    requireNoInnerFailure(false);
  }

  /** The driver sends no abort for a thread that is interrupted, and the locks would stay. */
  void rollback(Throwable because) {
    try {
      if (transaction().hasActiveTransaction()) {
        Threads.uninterrupted(transaction()::abortTransaction);
      }
    } catch (RuntimeException failed) {
      because.addSuppressed(failed);
    }
  }
}
