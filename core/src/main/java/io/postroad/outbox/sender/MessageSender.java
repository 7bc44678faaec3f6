package io.postroad.outbox.sender;

import io.postroad.internal.relay.SequentialSession;
import io.postroad.message.Message;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Hands messages to a broker or to another transport.
 *
 * <p>MUST be safe to use from many threads. No transaction is open while it is called. A crash
 * between the broker's answer and the settle makes the relay send the message again, so receivers
 * deduplicate by message id.
 */
public interface MessageSender extends AutoCloseable {

  /** Returns a short name for logs, for example {@code kafka}. */
  String name();

  /**
   * Returns the longest time between {@link #send} and the last outcome. A relay of a competing
   * store refuses to start unless its lease is longer. A relay treats later outcomes as {@link
   * SendOutcome.Unknown}.
   */
  Duration timeout();

  /**
   * Sends messages, in order, without waiting for the broker. Messages of one destination and key
   * reach it in the order of the call, as far as first occurrences go; between calls there is no
   * order, see {@link #openSession}.
   *
   * <ol>
   *   <li>MUST return one stage per message, in order, each completing with a {@link SendOutcome}.
   *   <li>MUST complete with {@link SendOutcome.Accepted} only after the broker has acknowledged it
   *       durably.
   *   <li>MUST complete with {@link SendOutcome.Unknown}, never Rejected, when it cannot tell
   *       whether the broker has it: a timed-out send may still arrive.
   *   <li>SHOULD NOT throw; an exception, or a stage that completes with one, counts as Unknown.
   * </ol>
   */
  List<CompletionStage<SendOutcome>> send(List<Message> messages);

  /**
   * Opens a session, which keeps order between calls, too. MUST NOT wait for the broker.
   *
   * <p>The default holds a message back until the earlier ones of its destination and key were
   * accepted, which is right for any sender and slow for a busy key. A sender that can tell its
   * broker to drop what follows a failure overrides it, so that calls can follow each other without
   * waiting.
   */
  default SendSession openSession() {
    return new SequentialSession(this);
  }

  /**
   * Opens a session for a line of messages that one node sends at a time, such as a lane. A sender
   * that can, makes the broker drop unfinished sends of earlier sessions of the same line on any
   * node: a node may have been frozen, and go on after another one has taken its lane.
   *
   * @param line the same on all nodes and for ever, for example {@code lane-0}
   */
  default SendSession openSession(String line) {
    return openSession();
  }

  /** Closes the sender; sends in flight become Unknown. */
  @Override
  void close();
}
