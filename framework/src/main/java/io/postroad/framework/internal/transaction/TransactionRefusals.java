package io.postroad.framework.internal.transaction;

import io.postroad.message.PostroadException;
import io.postroad.transaction.NoTransactionException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The refusals that are the same in all frameworks. */
public final class TransactionRefusals {
  private TransactionRefusals() {}

  public static NoTransactionException readOnly() {
    return new NoTransactionException(
        "this thread is in a transaction that is read-only, and nothing can be appended or"
            + " accepted in it; nothing was written. Remove readOnly = true from the @Transactional"
            + " method that began it (or use executeWrite in place of executeRead), or do this in a"
            + " transaction with propagation REQUIRES_NEW");
  }

  public static NoTransactionException afterCommitOutside() {
    return new NoTransactionException(
        "afterCommit needs a transaction on this thread that has not ended: call it inside"
            + " Transactions.run(..) or a @Transactional method");
  }

  public static PostroadException notBegun(@Nullable String message, Throwable cause) {
    return new PostroadException(
        "could not begin a transaction: %s; nothing was done".formatted(message), cause);
  }

  public static PostroadException brokenConnection(SQLException broken) {
    return new PostroadException(
        "the connection of this transaction cannot be used any more; nothing was written", broken);
  }
}
