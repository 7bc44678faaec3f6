package io.postroad.command;

import io.postroad.message.PostroadException;

/**
 * Thrown by a {@link ReplyListener} that does not want the result of a command: what the handler
 * did rolls back, and the command has failed with {@link FailureCode#CANCELLED}, which the listener
 * hears of like of any other failure. It is not tried again.
 *
 * <p>It has that meaning in {@link ReplyListener#replied} of a {@link CommandReply.Completed}, for
 * a command that is handled here; anywhere else it is an exception like others.
 */
public class CommandRefusedException extends PostroadException {
  private static final long serialVersionUID = 1L;

  /**
   * The result is not wanted.
   *
   * @param message why; the reply's error has it, after the name of the class
   */
  public CommandRefusedException(String message) {
    super(message);
  }
}
