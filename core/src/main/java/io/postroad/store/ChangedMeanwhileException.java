package io.postroad.store;

import io.postroad.message.PostroadException;

/**
 * What was written without a lock is not what its writer knew any more. Nothing of it is written;
 * the transaction can only be rolled back and run again, with a look first.
 */
public final class ChangedMeanwhileException extends PostroadException {
  private static final long serialVersionUID = 1L;

  public ChangedMeanwhileException(String message) {
    super(message);
  }
}
