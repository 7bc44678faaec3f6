package io.postroad.outbox.sender;

import io.postroad.message.Message;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Sends messages in order, from its opening to the first failure.
 *
 * <p>Used by one thread at a time. A crash leaves what {@link MessageSender} says.
 */
public interface SendSession extends AutoCloseable {

  /**
   * Sends messages like {@link MessageSender#send}, and besides:
   *
   * <ol>
   *   <li>MUST let messages of one destination and key arrive in the order in which they were
   *       handed over, over all calls, as far as first occurrences go.
   *   <li>MUST NOT let a message arrive that was handed over after one of its destination and key
   *       that was not accepted. Such messages are {@link SendOutcome.Unknown}. It may treat all
   *       later messages so, whatever their key: the session is over then, and its user opens
   *       another one once every outcome is known.
   *   <li>MAY go on with other keys after {@link SendOutcome.Unknown#onlyItsKey()}. Then it MUST
   *       answer every later message of that destination and key in the same way; its user opens
   *       another session before it sends that key again.
   * </ol>
   */
  List<CompletionStage<SendOutcome>> send(List<Message> messages);

  /** Ends the session without waiting: it sends no more, and sends in flight become Unknown. */
  @Override
  void close();
}
