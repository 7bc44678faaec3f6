package io.postroad.outbox;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import java.util.Set;

/**
 * The work that {@link OutboxWorkers} do for each message. MUST be safe to use from many threads.
 *
 * @param <T> the type of a transaction of the database
 */
public interface MessageWork<T> {

  /** Returns the destinations whose messages are worked on. */
  Set<String> destinations();

  /**
   * Does the part of the work that is not in the transaction, before the transaction is opened. It
   * is repeated after a crash, and after a failure of the transaction.
   */
  default void before(Message message, WorkLease lease) throws Exception {}

  /**
   * Does the work in a transaction that also settles the message: both are committed, or neither.
   */
  void inside(T transaction, Message message, WorkLease lease) throws Exception;

  /** Returns whether another attempt can help after this failure. */
  SendOutcome.Again again(Throwable failure);
}
