package io.postroad.command;

import io.postroad.message.PostroadException;

/**
 * Thrown by a {@link ReplyListener} that refuses the result of a command. The work of the handler
 * rolls back, the command has failed with {@link FailureCode#CANCELLED}, and the listener hears of
 * that as of any other failure. The command is not retried.
 *
 * <p>It has that meaning in {@link ReplyListener#replied} of a {@link CommandReply.Completed}, for
 * a command that is handled here; anywhere else it is an ordinary exception.
 */
public class CommandRefusedException extends PostroadException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message why; the reply's error has it, after the name of the class
   */
  public CommandRefusedException(String message) {
    super(message);
  }
}
