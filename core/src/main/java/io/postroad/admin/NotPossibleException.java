package io.postroad.admin;

import io.postroad.message.PostroadException;

/** A decision that does not fit the state of the outbox. Nothing was changed; the text says why. */
public final class NotPossibleException extends PostroadException {
  private static final long serialVersionUID = 1L;

  public NotPossibleException(String message) {
    super(message);
  }
}
