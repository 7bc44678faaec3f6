package io.postroad.inbox;

import io.postroad.message.PostroadException;

/**
 * Thrown by a handler if another attempt may help, whatever its cause is. The message is tried
 * again later.
 */
public class RetryableFailure extends PostroadException {
  private static final long serialVersionUID = 1L;

  public RetryableFailure(String message) {
    super(message);
  }

  public RetryableFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
