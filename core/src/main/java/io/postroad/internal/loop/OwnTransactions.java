package io.postroad.internal.loop;

import io.postroad.transaction.Transactions.Work;
import org.jspecify.annotations.Nullable;

/**
 * Knows which transactions of a framework Postroad has begun on a thread: only there can the caller
 * tell which work is the last one before the commit. Safe to use from many threads.
 *
 * @param <T> the type of a transaction of the database
 */
public final class OwnTransactions<T> {

  @SuppressWarnings("ThreadLocalUsage") // one per database: a thread may use several
  private final ThreadLocal<@Nullable Inner<T>> current = new ThreadLocal<>();

  /** The innermost call on a thread. */
  private record Inner<T>(T transaction, boolean isOwn) {}

  /**
   * Does the work of one call.
   *
   * @param isOwn whether the call has begun the transaction, and has not joined it
   */
  public <R, E extends Exception> R call(T transaction, boolean isOwn, Work<T, R, E> work)
      throws E {
    @Nullable Inner<T> outer = current.get();
    current.set(new Inner<>(transaction, isOwn));
    try {
      return work.call(transaction);
    } finally {
      if (outer == null) {
        current.remove();
      } else {
        current.set(outer);
      }
    }
  }

  /** Tells whether the innermost call of this thread has begun this transaction. */
  public boolean isOutermost(T transaction) {
    @Nullable Inner<T> inner = current.get();
    return inner != null && inner.isOwn() && inner.transaction() == transaction;
  }
}
