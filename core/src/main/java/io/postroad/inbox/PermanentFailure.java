package io.postroad.inbox;

import io.postroad.message.PostroadException;

/**
 * Thrown by a handler if another attempt cannot help. The message becomes a dead letter at once.
 */
public class PermanentFailure extends PostroadException {
  private static final long serialVersionUID = 1L;

  public PermanentFailure(String message) {
    super(message);
  }

  public PermanentFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
