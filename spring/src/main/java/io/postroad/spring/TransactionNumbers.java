package io.postroad.spring;

import com.mongodb.client.ClientSession;
import io.postroad.transaction.TransactionEndedException;
import io.postroad.transaction.Transactions.Work;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the number of the transaction that a unit has begun with: a session counts its
 * transactions, so that another one has another number. Safe to use from many threads; a unit
 * belongs to the thread that runs it.
 */
final class TransactionNumbers {
  @SuppressWarnings("ThreadLocalUsage") // one per database, not one per process
  private final ThreadLocal<@Nullable Begun> units = new ThreadLocal<>();

  private record Begun(ClientSession session, Optional<Long> number) {}

  /** Notes the number, does the work, and makes sure that the number is still the same. */
  <R, E extends Exception> Work<ClientSession, R, E> noting(Work<ClientSession, R, E> work) {
    return session -> {
      @Nullable Begun outer = units.get();
      units.set(new Begun(session, number(session)));
      try {
        R result = work.call(session);
        requireSame(session);
        return result;
      } finally {
        units.set(outer);
      }
    };
  }

  void requireSame(ClientSession session) {
    @Nullable Begun begun = units.get();
    if (begun != null && begun.session() == session && !begun.number().equals(number(session))) {
      throw new TransactionEndedException("abortTransaction() or commitTransaction()");
    }
  }

  private static Optional<Long> number(ClientSession session) {
    return session.hasActiveTransaction()
        ? Optional.of(session.getServerSession().getTransactionNumber())
        : Optional.empty();
  }
}
