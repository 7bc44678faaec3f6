package io.postroad.inbox;

import io.postroad.message.Message;

/**
 * Does what a message asks for. The same handler serves Kafka, JMS and no broker at all.
 *
 * <p>MUST be safe to use from many threads. It is called in a transaction that also remembers the
 * message, so what it writes with {@link HandlerContext#transaction()} happens once, however often
 * the message comes. What it does elsewhere may happen again: after a crash, or when the database
 * asks for the transaction again.
 *
 * @param <T> what a transaction of the database is
 */
@FunctionalInterface
public interface MessageHandler<T> {

  /**
   * Handles a message.
   *
   * @throws PermanentFailure when trying again cannot help: the message is a dead letter
   * @throws Exception for anything else: the transaction rolls back and the message is tried again
   */
  void handle(Message message, HandlerContext<T> context) throws Exception;
}
