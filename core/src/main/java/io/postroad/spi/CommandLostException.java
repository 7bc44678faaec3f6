package io.postroad.spi;

import io.postroad.message.PostroadException;

/**
 * Thrown when a claim does not hold: another worker has the command, or it has ended. The
 * transaction must roll back.
 */
public final class CommandLostException extends PostroadException {
  private static final long serialVersionUID = 1L;

  public CommandLostException(String message) {
    super(message);
  }
}
