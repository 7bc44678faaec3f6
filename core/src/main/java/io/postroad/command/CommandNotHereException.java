package io.postroad.command;

import io.postroad.message.PostroadException;

/**
 * Thrown by a {@link ReplyListener} that cannot take the end of a command on this node, while one
 * on another node may: this one has an older release, say. What the handler did rolls back, the
 * attempt is not counted, and the command is left alone for a while, so that another node takes it.
 * Where that is known before, {@link ReplyListener#begins} says it, and the handler is not called.
 *
 * <p>It has that meaning for a command that is handled here; for a reply that comes over a broker
 * it is an exception like others.
 */
public class CommandNotHereException extends PostroadException {
  private static final long serialVersionUID = 1L;

  /**
   * This node cannot.
   *
   * @param message what it does not have
   */
  public CommandNotHereException(String message) {
    super(message);
  }
}
