package io.postroad.jms;

import io.postroad.inbox.Inbox;
import io.postroad.inbox.Incoming;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One consumer: receive, have the inbox deal with it, commit. Runs on a thread of its own until it
 * is told to end; whatever fails, it goes on.
 */
final class ConsumerLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(JmsReceiver.class);

  /** How soon an idle consumer sees that it is to end. */
  private static final long POLL_MILLIS = 500;

  /** How long a batch waits for its next message before it is committed. */
  private static final long NEXT_MILLIS = 2;

  private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

  private final String queue;
  private final JmsReceiverOptions options;
  private final Links links;
  private final Reconnect queueTrouble;
  private final Inbox<?> inbox;
  private final BooleanSupplier goOn;
  private final IncomingMapper mapper;

  /**
   * @param queueTrouble shared by the consumers of a queue, so that trouble with it is told once
   */
  ConsumerLoop(
      String queue,
      JmsReceiverOptions options,
      Links links,
      Reconnect queueTrouble,
      Inbox<?> inbox,
      BooleanSupplier goOn) {
    this.queue = queue;
    this.options = options;
    this.links = links;
    this.queueTrouble = queueTrouble;
    this.inbox = inbox;
    this.goOn = goOn;
    this.mapper = new IncomingMapper(queue, options);
  }

  @Override
  public void run() {
    while (goOn.getAsBoolean()) {
      try {
        consume(links.borrow(System.nanoTime() + CONNECT_NANOS));
      } catch (NoSessionException notYet) {
        LOG.debug("{}: {}", options.name(), notYet.getMessage());
      }
    }
  }

  private void consume(PooledSession session) {
    try (MessageConsumer consumer = consumer(session.session())) {
      while (goOn.getAsBoolean() && !session.link().isOver()) {
        if (!receiveBatch(session, consumer)) {
          break;
        }
        queueTrouble.succeeded();
      }
      links.discard(session);
    } catch (JMSException | RuntimeException | Error e) {
      failed(session, e);
    }
  }

  private MessageConsumer consumer(Session session) throws JMSException {
    Queue from = session.createQueue(queue);
    Optional<String> selector = options.selector(queue, inbox.handlers());
    return selector.isPresent()
        ? session.createConsumer(from, selector.get())
        : session.createConsumer(from);
  }

  /**
   * Receives and deals with messages, then commits. False when one was not dealt with: then the
   * session is to be closed. The batch is undone before that: a consumer that is closed first gives
   * back what it has not received yet, and those of a key would overtake the ones before them.
   */
  private boolean receiveBatch(PooledSession session, MessageConsumer consumer)
      throws JMSException {
    boolean done = false;
    try {
      done = commitBatch(session, consumer);
      return done;
    } finally {
      if (!done) {
        undo(session);
      }
    }
  }

  private void undo(PooledSession session) {
    try {
      session.session().rollback();
    } catch (JMSException | RuntimeException e) {
      LOG.debug("{}: could not roll back, the broker does when the session ends", queue, e);
    }
  }

  private boolean commitBatch(PooledSession session, MessageConsumer consumer) throws JMSException {
    jakarta.jms.@Nullable Message message = consumer.receive(POLL_MILLIS);
    int count = 0;
    while (message != null) {
      if (!dealWith(session, message)) {
        return false;
      }
      count++;
      boolean more = count < options.batchSize() && goOn.getAsBoolean();
      message = more ? consumer.receive(NEXT_MILLIS) : null;
    }
    if (count > 0) {
      session.session().commit();
    }
    return true;
  }

  private boolean dealWith(PooledSession session, jakarta.jms.Message message) throws JMSException {
    Incoming incoming;
    try {
      incoming = mapper.incoming(message);
    } catch (JMSException | RuntimeException e) {
      // A body may still be on its way: only over a connection that works is it the message.
      links.discard(session.link().fresh());
      incoming = mapper.unreadable(message, e);
    }
    LOG.debug(
        "{}: received queue={} id={} deliveryCount={}",
        options.name(),
        queue,
        incoming.messageId(),
        IncomingMapper.deliveryCount(message));
    return inbox.receive(incoming, goOn);
  }

  /** The connection may be broken, or this queue alone: a new session tells. */
  private void failed(PooledSession session, Throwable failure) {
    LOG.debug("{}: consumer of {} failed", options.name(), queue, failure);
    try {
      links.discard(links.another(session));
    } catch (NoSessionException connectionIsBroken) {
      return;
    }
    queueTrouble.failed(SendFailure.describe(failure));
    while (goOn.getAsBoolean() && queueTrouble.nanosToNextTry() > 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
