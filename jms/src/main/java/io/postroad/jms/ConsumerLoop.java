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
 * Runs one consumer: receives messages, passes them to the inbox and commits. Runs on its own
 * thread until the receiver stops, and continues after every failure.
 */
final class ConsumerLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(JmsReceiver.class);

  /** Longest time in which an idle consumer notices a stop. */
  private static final long POLL_MILLIS = 500;

  /** Longest wait of a batch for its next message before it is committed. */
  private static final long NEXT_MILLIS = 2;

  private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

  private final String queue;
  private final JmsReceiverOptions options;
  private final BrokerConnections broker;
  private final Reconnect queueReconnect;
  private final Inbox<?> inbox;
  private final BooleanSupplier isRunning;
  private final IncomingMapper mapper;

  /**
   * @param queueReconnect shared by the consumers of a queue, so that its failures are logged once
   */
  ConsumerLoop(
      String queue,
      JmsReceiverOptions options,
      BrokerConnections broker,
      Reconnect queueReconnect,
      Inbox<?> inbox,
      BooleanSupplier isRunning) {
    this.queue = queue;
    this.options = options;
    this.broker = broker;
    this.queueReconnect = queueReconnect;
    this.inbox = inbox;
    this.isRunning = isRunning;
    this.mapper = new IncomingMapper(queue, options);
  }

  @Override
  public void run() {
    while (isRunning.getAsBoolean()) {
      try {
        consume(broker.borrow(System.nanoTime() + CONNECT_NANOS));
      } catch (NoSessionException notYet) {
        LOG.debug("{}: {}", options.name(), notYet.getMessage());
      }
    }
  }

  private void consume(PooledSession session) {
    try (MessageConsumer consumer = consumer(session.session())) {
      while (isRunning.getAsBoolean() && !session.connection().isOver()) {
        if (!receiveBatch(session, consumer)) {
          break;
        }
        queueReconnect.succeeded();
      }
      broker.discard(session);
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
   * Receives and handles messages, then commits. Returns false if a message could not be handled;
   * then the session must be closed. The batch is rolled back first: a consumer that is closed
   * before would give back the messages that it has not received yet, and they would overtake
   * earlier messages of their key.
   */
  private boolean receiveBatch(PooledSession session, MessageConsumer consumer)
      throws JMSException {
    boolean done = false;
    try {
      done = commitBatch(session, consumer);
      return done;
    } finally {
      if (!done) {
        rollBack(session);
      }
    }
  }

  private void rollBack(PooledSession session) {
    try {
      session.session().rollback();
    } catch (JMSException | RuntimeException e) {
      LOG.debug("{}: could not roll back; the broker does it when the session ends", queue, e);
    }
  }

  private boolean commitBatch(PooledSession session, MessageConsumer consumer) throws JMSException {
    jakarta.jms.@Nullable Message message = consumer.receive(POLL_MILLIS);
    int count = 0;
    while (message != null) {
      if (!handle(session, message)) {
        return false;
      }
      count++;
      boolean more = count < options.batchSize() && isRunning.getAsBoolean();
      message = more ? consumer.receive(NEXT_MILLIS) : null;
    }
    if (count > 0) {
      session.session().commit();
    }
    return true;
  }

  private boolean handle(PooledSession session, jakarta.jms.Message message) throws JMSException {
    Incoming incoming;
    try {
      incoming = mapper.incoming(message);
    } catch (JMSException | RuntimeException e) {
      // The body may still be in transfer: only on a working connection is the message to blame.
      broker.discard(session.connection().fresh());
      incoming = mapper.unreadable(message, e);
    }
    LOG.debug(
        "{}: received queue={} id={} deliveryCount={}",
        options.name(),
        queue,
        incoming.messageId(),
        IncomingMapper.deliveryCount(message));
    return inbox.receive(incoming, isRunning);
  }

  /** Opens a new session to find out whether the connection is broken or only this queue fails. */
  private void failed(PooledSession session, Throwable failure) {
    LOG.debug("{}: consumer of {} failed", options.name(), queue, failure);
    try {
      broker.discard(broker.another(session));
    } catch (NoSessionException connectionIsBroken) {
      return;
    }
    queueReconnect.failed(SendFailure.describe(failure));
    while (isRunning.getAsBoolean() && queueReconnect.nanosToNextTry() > 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
