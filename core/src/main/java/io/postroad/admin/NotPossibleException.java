package io.postroad.admin;

import io.postroad.message.PostroadException;

/** What was asked for does not fit what is there; nothing was changed, and the text says why. */
public final class NotPossibleException extends PostroadException {
  private static final long serialVersionUID = 1L;

  public NotPossibleException(String message) {
    super(message);
  }
}
