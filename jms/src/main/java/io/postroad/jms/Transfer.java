package io.postroad.jms;

import io.postroad.message.Message;
import io.postroad.outbox.SendOutcome;
import io.postroad.outbox.SendOutcome.Accepted;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages in order: each batch in one transaction, and one by one where that fails.
 *
 * <p>A transaction fails as a whole and does not say because of which message. Sent alone, each
 * message gets its own answer, those that are good are accepted, and whatever follows a message
 * that is not accepted under its key is withheld. If the transaction had been committed after all,
 * they arrive twice, in order. Used once, by one thread; {@link #abandon} by any.
 */
final class Transfer {
  private final Links links;
  private final int batchSize;
  private final long deadline;
  private final Set<Order> withheld = new HashSet<>();
  private volatile @Nullable PooledSession session;

  /** Why nothing more is sent, or null. */
  private volatile @Nullable String over;

  /** What must stay in order. */
  private record Order(String destination, String key) {
    static Optional<Order> of(Message message) {
      return message.key().map(key -> new Order(message.destination(), key));
    }
  }

  Transfer(Links links, int batchSize, long deadline) {
    this.links = links;
    this.batchSize = batchSize;
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
    for (int from = 0; from < messages.size(); from += batchSize) {
      outcomes.addAll(
          sendBatch(messages.subList(from, Math.min(messages.size(), from + batchSize))));
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

  /** Lets nothing more be sent, and ends the connection that seems to be stuck. */
  void abandon(String why) {
    stop(why);
    PooledSession used = session;
    if (used != null) {
      used.link().retire();
    }
  }

  /** Lets nothing more be sent; what is being committed may still arrive. */
  void stop(String why) {
    if (over == null) {
      over = why;
    }
  }

  private List<SendOutcome> sendBatch(List<Message> batch) {
    Map<String, Exception> unopened = openQueues(batch);
    Map<Message, SendOutcome> outcomes = new HashMap<>();
    List<Message> good = new ArrayList<>(batch.size());
    for (Message message : batch) {
      @Nullable Exception failure = unopened.get(message.destination());
      if (failure != null) {
        outcomes.put(message, withholding(message, SendFailure.atOpen(message, failure)));
      } else if (!isWithheld(message)) {
        good.add(message);
      }
    }
    if (good.size() > 1) {
      sendTogether(good).forEach(outcomes::put);
    }
    return batch.stream()
        .map(message -> outcomes.computeIfAbsent(message, this::sendAlone))
        .toList();
  }

  /** Opens every queue of the batch first, so that a missing one costs no transaction. */
  private Map<String, Exception> openQueues(List<Message> batch) {
    Map<String, Exception> failures = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (Message message : batch) {
      PooledSession with = session;
      if (with == null || isOver()) {
        return Map.of();
      }
      if (seen.add(message.destination())) {
        try {
          var unused = with.producer(message.destination());
        } catch (JMSException | RuntimeException e) {
          failures.put(message.destination(), e);
          if (!connectionWorks(with)) {
            return Map.of();
          }
        }
      }
    }
    return failures;
  }

  /** The outcomes, or none when each message is to be sent alone. */
  private Map<Message, SendOutcome> sendTogether(List<Message> messages) {
    PooledSession with = session;
    if (with == null || isOver()) {
      return Map.of();
    }
    Map<Message, SendOutcome> accepted = new HashMap<>();
    boolean committing = false;
    try {
      List<jakarta.jms.Message> sent = new ArrayList<>(messages.size());
      for (Message message : messages) {
        if (isOver()) {
          return Map.of();
        }
        sent.add(send(with, message));
      }
      committing = true;
      with.session().commit();
      for (int i = 0; i < sent.size(); i++) {
        accepted.put(messages.get(i), accepted(messages.get(i), sent.get(i)));
      }
      return accepted;
    } catch (JMSException | RuntimeException e) {
      if (connectionWorks(with) || !committing) {
        return Map.of();
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
    return Order.of(message).filter(withheld::contains).isPresent();
  }

  private SendOutcome withholding(Message message, SendOutcome outcome) {
    Order.of(message).ifPresent(withheld::add);
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
