package io.postroad.command;

import io.postroad.store.NewCommand;

/**
 * Has a part in the transaction in which a command ends: what it writes and the reply are one
 * commit. For whoever keeps state that replies move on, in the same database.
 *
 * <p>MUST be safe to use from many threads. One that throws rolls back what the handler did; the
 * attempt counts as failed.
 *
 * @param <T> what a transaction of the database is
 */
@FunctionalInterface
public interface ReplyListener<T> {

  /** A command has ended, or was told to have timed out while it may still be handled late. */
  void replied(T transaction, NewCommand command, CommandReply reply);

  /** One that does not listen. */
  static <T> ReplyListener<T> none() {
    return (transaction, command, reply) -> {};
  }
}
