package io.postroad.internal.command;

import io.postroad.command.CommandNotHereException;
import io.postroad.command.CommandReply;
import io.postroad.command.ReplyListener;
import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.spi.NewCommand;
import io.postroad.spi.process.ProcessBusyException;
import io.postroad.transaction.Transactions;

/**
 * The reply side of the port between processes and commands: a {@link ReplyListener} that knows on
 * which thread it is called. Must be safe to use from many threads.
 */
public interface StepListener<T> extends ReplyListener<T> {

  /**
   * Refuses a command before its handler is called.
   *
   * @throws CommandNotHereException when another node has to run it
   */
  default void begins(NewCommand command) {}

  /**
   * Takes a reply at the end of a run on this node, in the transaction of the handler. May save
   * without a lock: a {@link ChangedMeanwhileException} repeats the run at once, and the attempt
   * does not count.
   */
  default void repliedHere(T transaction, NewCommand command, CommandReply reply) {
    replied(transaction, command, reply);
  }

  /**
   * Takes a reply on the thread that sweeps many commands, and must not wait for another
   * transaction.
   *
   * @throws ProcessBusyException when it would have to wait; the sweeper tries the command again
   */
  default void repliedNow(T transaction, NewCommand command, CommandReply reply) {
    replied(transaction, command, reply);
  }

  /**
   * Tells whether the outcome of a command may be written {@linkplain Transactions#together
   * together} with the writes of this listener. Only for a listener that lets every failure of a
   * store through and sets no savepoints.
   */
  default boolean writesTogether() {
    return false;
  }

  /** Adapts a listener of a user. */
  static <T> StepListener<T> of(ReplyListener<T> listener) {
    return new StepListener<>() {
      @Override
      public void replied(T transaction, NewCommand command, CommandReply reply) {
        listener.replied(transaction, command, reply);
      }

      @Override
      public void repliedLate(T transaction, NewCommand command, CommandReply reply) {
        listener.repliedLate(transaction, command, reply);
      }
    };
  }
}
