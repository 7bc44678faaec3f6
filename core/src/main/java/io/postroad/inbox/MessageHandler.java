package io.postroad.inbox;

import io.postroad.message.Message;

/**
 * Handles messages. The same handler works with Kafka, JMS and without a broker.
 *
 * <p>An implementation MUST be thread-safe. It runs in the transaction that also records the
 * message, so its writes with {@link HandlerContext#transaction()} take effect once, however often
 * the message is delivered. Other effects may be repeated after a crash, or when the database asks
 * for the transaction to be run again.
 *
 * @param <T> the type of a database transaction
 */
@FunctionalInterface
public interface MessageHandler<T> {

  /**
   * Handles a message.
   *
   * @throws PermanentFailure if another attempt cannot help: the message becomes a dead letter
   * @throws Exception for any other failure: the transaction rolls back and the message is tried
   *     again
   */
  void handle(Message message, HandlerContext<T> context) throws Exception;
}
