package io.postroad.jms;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to one queue in order: each batch in one transaction, and one by one if that
 * fails.
 *
 * <p>A failed transaction does not tell which message caused the failure. Sent alone, each message
 * gets its own answer: valid messages are accepted, and after a message that is not accepted, later
 * messages of its key are skipped. If the transaction was committed after all, its messages arrive
 * twice, in order. Used once, by one thread; any thread may call {@link #abandon}.
 */
final class Transfer {
  private final String queue;
  private final BrokerConnections broker;
  private final BatchLimits limits;
  private final long deadline;
  private final Set<String> skippedKeys = new HashSet<>();
  private volatile @Nullable PooledSession session;

  /** The number of messages in the running transaction. */
  private volatile int inTransaction;

  /** The reason why no more messages are sent, or null. */
  private volatile @Nullable String over;

  Transfer(String queue, BrokerConnections broker, BatchLimits limits, long deadline) {
    this.queue = queue;
    this.broker = broker;
    this.limits = limits;
    this.deadline = deadline;
  }

  /** Sends the messages and returns one outcome per message. */
  List<SendOutcome> run(List<Message> messages) {
    List<SendOutcome> outcomes = new ArrayList<>(messages.size());
    try {
      session = broker.borrow(deadline);
    } catch (NoSessionException e) {
      stop(String.valueOf(e.getMessage()));
    }
    while (outcomes.size() < messages.size()) {
      int from = outcomes.size();
      int to = Math.min(messages.size(), from + limits.of(queue));
      outcomes.addAll(sendBatch(messages.subList(from, to)));
    }
    PooledSession used = session;
    session = null;
    if (used != null) {
      if (over == null) {
        used.connection().giveBack(used);
      } else {
        broker.discard(used);
      }
    }
    return outcomes;
  }

  /**
   * Stops sending, and ends the session, which seems to be stuck. Other users may continue with its
   * connection, which is closed when they are done, because it may be stuck, too.
   */
  void abandon(String why) {
    stop(why);
    PooledSession used = session;
    if (used != null) {
      limits.timedOut(queue, inTransaction);
      broker.abandon(used);
    }
  }

  /** Stops sending. A running commit may still succeed. */
  void stop(String why) {
    if (over == null) {
      over = why;
    }
  }

  private List<SendOutcome> sendBatch(List<Message> batch) {
    @Nullable Exception unopened = openQueue();
    if (unopened != null) {
      return batch.stream()
          .map(message -> skipping(message, SendFailure.atOpen(message, unopened)))
          .toList();
    }
    List<Message> toSend = batch.stream().filter(message -> !isSkipped(message)).toList();
    Map<Message, SendOutcome> outcomes =
        toSend.size() > 1 ? sendInOneTransaction(toSend) : new HashMap<>();
    return batch.stream()
        .map(message -> outcomes.computeIfAbsent(message, this::sendAlone))
        .toList();
  }

  /**
   * Opens the queue first, so that a missing queue costs no transaction. Returns null if it is
   * open.
   */
  private @Nullable Exception openQueue() {
    PooledSession with = session;
    if (with == null || isOver()) {
      return null;
    }
    try {
      var unused = with.producer(queue);
      return null;
    } catch (JMSException | RuntimeException e) {
      return connectionWorks(with) ? e : null;
    }
  }

  /** Returns the outcomes; empty if each message must be sent alone. */
  private Map<Message, SendOutcome> sendInOneTransaction(List<Message> messages) {
    PooledSession with = session;
    if (with == null || isOver()) {
      return new HashMap<>();
    }
    inTransaction = messages.size();
    Map<Message, SendOutcome> accepted = new HashMap<>();
    boolean committing = false;
    try {
      List<jakarta.jms.Message> sent = new ArrayList<>(messages.size());
      for (Message message : messages) {
        if (isOver()) {
          return new HashMap<>();
        }
        sent.add(send(with, message));
      }
      if (isOver()) {
        return new HashMap<>();
      }
      committing = true;
      with.session().commit();
      limits.committed(queue, messages.size());
      for (int i = 0; i < sent.size(); i++) {
        accepted.put(messages.get(i), accepted(messages.get(i), sent.get(i)));
      }
      return accepted;
    } catch (JMSException | RuntimeException e) {
      if (connectionWorks(with) || !committing) {
        return new HashMap<>();
      }
      Map<Message, SendOutcome> unknown = new HashMap<>();
      messages.forEach(
          message ->
              unknown.put(message, SendFailure.mayHaveArrived(message, SendFailure.describe(e))));
      return unknown;
    }
  }

  private SendOutcome sendAlone(Message message) {
    PooledSession with = session;
    if (with == null || isOver()) {
      return SendFailure.notSent(message, String.valueOf(over));
    }
    if (isSkipped(message)) {
      return SendFailure.notSent(message, "an earlier message of its key was not accepted");
    }
    inTransaction = 1;
    jakarta.jms.Message sent;
    try {
      sent = send(with, message);
    } catch (JMSException | RuntimeException e) {
      return skipping(
          message,
          connectionWorks(with)
              ? SendFailure.atSend(message, e)
              : SendFailure.notSent(message, SendFailure.describe(e)));
    }
    try {
      with.session().commit();
      limits.committed(queue, 1);
      return accepted(message, sent);
    } catch (JMSException | RuntimeException e) {
      return skipping(
          message,
          connectionWorks(with)
              ? SendFailure.atCommit(message, e)
              : SendFailure.mayHaveArrived(message, SendFailure.describe(e)));
    }
  }

  private static jakarta.jms.Message send(PooledSession with, Message message) throws JMSException {
    jakarta.jms.Message mapped = MessageMapper.jmsMessage(with.session(), message);
    with.producer(message.destination()).send(mapped);
    return mapped;
  }

  private static SendOutcome accepted(Message message, jakarta.jms.Message sent) {
    try {
      @Nullable String id = sent.getJMSMessageID();
      return new Accepted(
          id == null
              ? Map.of("queue", message.destination())
              : Map.of("queue", message.destination(), "message-id", id));
    } catch (JMSException e) {
      return new Accepted(Map.of("queue", message.destination()));
    }
  }

  private boolean isOver() {
    if (over == null && deadline - System.nanoTime() <= 0) {
      stop("its time limit has passed");
    }
    return over != null;
  }

  private boolean isSkipped(Message message) {
    return message.key().filter(skippedKeys::contains).isPresent();
  }

  private SendOutcome skipping(Message message, SendOutcome outcome) {
    message.key().ifPresent(skippedKeys::add);
    return outcome;
  }

  /**
   * Continues with a new session. Returns whether it could be created, which shows that the
   * connection works.
   */
  private boolean connectionWorks(PooledSession failed) {
    session = null;
    if (isOver()) {
      broker.discard(failed);
      return false;
    }
    try {
      session = broker.another(failed);
      return true;
    } catch (NoSessionException e) {
      stop(String.valueOf(e.getMessage()));
      return false;
    }
  }
}
