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
 * Sends messages to one queue in order: each batch in one transaction, and one by one where that
 * fails.
 *
 * <p>A transaction fails as a whole and does not say because of which message. Sent alone, each
 * message gets its own answer, those that are good are accepted, and whatever follows a message
 * that is not accepted under its key is withheld. If the transaction had been committed after all,
 * they arrive twice, in order. Used once, by one thread; {@link #abandon} by any.
 */
final class Transfer {
  private final String queue;
  private final Links links;
  private final BatchLimits limits;
  private final long deadline;
  private final Set<String> withheldKeys = new HashSet<>();
  private volatile @Nullable PooledSession session;

  /** How many messages the transaction that is under way has, or is to have. */
  private volatile int inTransaction;

  /** Why nothing more is sent, or null. */
  private volatile @Nullable String over;

  Transfer(String queue, Links links, BatchLimits limits, long deadline) {
    this.queue = queue;
    this.links = links;
    this.limits = limits;
    this.deadline = deadline;
  }

  /** One outcome per message. */
  List<SendOutcome> run(List<Message> messages) {
    List<SendOutcome> outcomes = new ArrayList<>(messages.size());
    try {
      session = links.borrow(deadline);
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
        used.link().giveBack(used);
      } else {
        links.discard(used);
      }
    }
    return outcomes;
  }

  /**
   * Lets nothing more be sent, and ends the session that seems to be stuck. Others may go on with
   * its connection, which is closed when they are done: it may be stuck, too.
   */
  void abandon(String why) {
    stop(why);
    PooledSession used = session;
    if (used != null) {
      limits.timedOut(queue, inTransaction);
      links.abandon(used);
    }
  }

  /** Lets nothing more be sent; what is being committed may still arrive. */
  void stop(String why) {
    if (over == null) {
      over = why;
    }
  }

  private List<SendOutcome> sendBatch(List<Message> batch) {
    @Nullable Exception unopened = openQueue();
    if (unopened != null) {
      return batch.stream()
          .map(message -> withholding(message, SendFailure.atOpen(message, unopened)))
          .toList();
    }
    List<Message> good = batch.stream().filter(message -> !isWithheld(message)).toList();
    Map<Message, SendOutcome> outcomes = good.size() > 1 ? sendTogether(good) : new HashMap<>();
    return batch.stream()
        .map(message -> outcomes.computeIfAbsent(message, this::sendAlone))
        .toList();
  }

  /** Opens the queue first, so that a missing one costs no transaction; null where it is open. */
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

  /** The outcomes, or none when each message is to be sent alone. */
  private Map<Message, SendOutcome> sendTogether(List<Message> messages) {
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
    if (isWithheld(message)) {
      return SendFailure.notSent(message, "an earlier message of its key was not accepted");
    }
    inTransaction = 1;
    jakarta.jms.Message sent;
    try {
      sent = send(with, message);
    } catch (JMSException | RuntimeException e) {
      return withholding(
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
      return withholding(
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
      stop("its time was up");
    }
    return over != null;
  }

  private boolean isWithheld(Message message) {
    return message.key().filter(withheldKeys::contains).isPresent();
  }

  private SendOutcome withholding(Message message, SendOutcome outcome) {
    message.key().ifPresent(withheldKeys::add);
    return outcome;
  }

  /** Goes on with a new session, whose making shows whether the connection works. */
  private boolean connectionWorks(PooledSession failed) {
    session = null;
    if (isOver()) {
      links.discard(failed);
      return false;
    }
    try {
      session = links.another(failed);
      return true;
    } catch (NoSessionException e) {
      stop(String.valueOf(e.getMessage()));
      return false;
    }
  }
}
