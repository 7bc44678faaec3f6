package io.postroad.outbox;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import java.util.Set;

/**
 * What {@link OutboxWorkers} do with the messages they take. MUST be safe to use from many threads.
 *
 * @param <T> what a transaction of the database is
 */
public interface MessageWork<T> {

  /** The destinations whose messages it wants. */
  Set<String> destinations();

  /**
   * Does what is not to be in the transaction, before it is opened. After a crash, or when what
   * follows fails, it happens again.
   */
  default void before(Message message, WorkLease lease) throws Exception {}

  /**
   * Does the work in a transaction that also settles the message: both are committed, or neither.
   */
  void inside(T transaction, Message message, WorkLease lease) throws Exception;

  /** Whether trying again can help after this was thrown. */
  SendOutcome.Again again(Throwable failure);
}
