package io.postroad.command;

import io.postroad.spi.NewCommand;

/**
 * Has a part in the transaction in which a command ends: what it writes and the reply are one
 * commit. For whoever keeps state that replies move on, in the same database.
 *
 * <p>MUST be safe to use from many threads. One that throws rolls back what the handler did; the
 * attempt counts as failed. With {@link CommandRefusedException} it says that the result is not
 * wanted: the command has failed then, and is not tried again.
 *
 * <p>What it accepts with {@link CommandBus#acceptHere} is what the thread goes on with.
 *
 * @param <T> what a transaction of the database is
 */
@FunctionalInterface
public interface ReplyListener<T> {

  /** A command has ended, or was told to have timed out while it may still be handled late. */
  void replied(T transaction, NewCommand command, CommandReply reply);

  /**
   * {@link #replied} at the end of a run of this node, in the transaction of the handler. Here a
   * listener may write without a lock what it believes to know, with a {@link
   * io.postroad.spi.ChangedMeanwhileException} if that is not so: then the run is repeated at once,
   * and the attempt does not count.
   */
  default void repliedHere(T transaction, NewCommand command, CommandReply reply) {
    replied(transaction, command, reply);
  }

  /**
   * {@link #replied} on the thread that ends many commands, one after the other: their deadline is
   * over, or they cannot be delivered. A listener that would wait for another transaction throws a
   * {@link io.postroad.spi.process.ProcessBusyException} instead. Then the command has not ended, and is
   * tried again at the next look.
   */
  default void repliedNow(T transaction, NewCommand command, CommandReply reply) {
    replied(transaction, command, reply);
  }

  /**
   * A reply came over the broker for a command that has ended here, otherwise than the reply says:
   * it had timed out, or was cancelled or recalled, and was handled all the same. In the
   * transaction that receives the message, and once for it; the command stays as it has ended. A
   * reply that says what is known already is not told.
   *
   * @param reply what came, not how the command has ended here
   */
  default void repliedLate(T transaction, NewCommand command, CommandReply reply) {}

  /**
   * Called before the handler of a command is. One that throws {@link CommandNotHereException}
   * leaves the command to another node, and nothing was done for it.
   */
  default void begins(NewCommand command) {}

  /**
   * Whether what is written when a command ends may go to the database {@linkplain
   * io.postroad.transaction.Transactions#together together} with what the listener writes, and the
   * commit {@linkplain io.postroad.transaction.Transactions#lastTogether with both}. Only for one
   * that lets every failure of a store through and sets no savepoints.
   */
  default boolean writesTogether() {
    return false;
  }

  /** One that does not listen. */
  static <T> ReplyListener<T> none() {
    return (transaction, command, reply) -> {};
  }
}
