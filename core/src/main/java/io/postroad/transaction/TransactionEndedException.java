package io.postroad.transaction;

import io.postroad.message.PostroadException;

/** Says that work has itself ended the transaction which it was handed. */
public final class TransactionEndedException extends PostroadException {
  private static final long serialVersionUID = 1L;

  /**
   * Names what the work did.
   *
   * @param call for example {@code rollback()}
   */
  public TransactionEndedException(String call) {
    super(
        "nothing more was committed: the work of this unit has called %s on its transaction, and what it did before is not part of it; throw an exception to roll back, or set a savepoint"
            .formatted(call));
  }
}
