package io.postroad.transaction;

import io.postroad.message.PostroadException;

/**
 * Something that must join the caller's transaction was called without one; nothing was written.
 */
public final class NoTransactionException extends PostroadException {
  private static final long serialVersionUID = 1L;

  public NoTransactionException(String message) {
    super(message);
  }
}
