package io.postroad.command;

import io.postroad.spi.NewCommand;

/**
 * Takes part in the transaction in which a command ends, for state in the same database that
 * replies change: its writes and the reply are one commit.
 *
 * <p>MUST be safe to use from many threads. When a listener throws, the work of the handler rolls
 * back, and the attempt counts as failed. With a {@link CommandRefusedException} it refuses the
 * result: the command has failed then, and is not retried. With a {@link CommandNotHereException}
 * it leaves the command to another node.
 *
 * @param <T> the type of a transaction of the database
 */
@FunctionalInterface
public interface ReplyListener<T> {

  /** Takes the reply of a command that has ended, or has timed out and may be handled late. */
  void replied(T transaction, NewCommand command, CommandReply reply);

  /**
   * Takes a reply that came over the broker for a command that has ended here otherwise: it had
   * timed out or was cancelled, and was handled all the same. Called once, in the transaction that
   * receives the message; the command stays as it has ended.
   *
   * @param reply as it came, which is not how the command has ended here
   */
  default void repliedLate(T transaction, NewCommand command, CommandReply reply) {}

  /** Returns a listener that does nothing. */
  static <T> ReplyListener<T> none() {
    return (transaction, command, reply) -> {};
  }
}
