package io.postroad.inbox;

import io.postroad.message.PostroadException;

/**
 * Thrown by a handler. Trying again may help, whatever the cause is: the message is tried again
 * after a while.
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
