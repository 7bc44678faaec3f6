package io.postroad.command;

import io.postroad.message.PostroadException;

/**
 * Thrown by a {@link ReplyListener} that cannot take the end of a command on this node, while one
 * on another node may: this node may have an older release. The work of the handler rolls back, the
 * attempt does not count, and the command is left alone for a while, so that another node takes it.
 *
 * <p>It has that meaning for a command that is handled here; for a reply that comes over a broker
 * it is an ordinary exception.
 */
public class CommandNotHereException extends PostroadException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message names what this node lacks
   */
  public CommandNotHereException(String message) {
    super(message);
  }
}
