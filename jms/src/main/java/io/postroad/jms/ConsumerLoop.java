package io.postroad.jms;

import io.postroad.inbox.Inbox;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import java.time.Duration;
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
    boolean received = false;
    try (MessageConsumer consumer =
        session.session().createConsumer(session.session().createQueue(queue))) {
      queueTrouble.succeeded();
      while (goOn.getAsBoolean() && !session.link().isOver()) {
        received |= receiveBatch(session, consumer);
      }
      links.discard(session);
    } catch (JMSException | RuntimeException e) {
      failed(session, e, received);
    }
  }

  /** Receives and deals with messages, then commits; false when there was none. */
  private boolean receiveBatch(PooledSession session, MessageConsumer consumer)
      throws JMSException {
    jakarta.jms.@Nullable Message message = consumer.receive(POLL_MILLIS);
    if (message == null) {
      return false;
    }
    int count = 0;
    while (message != null) {
      if (!dealWith(message)) {
        session.session().rollback();
        return true;
      }
      count++;
      boolean more = count < options.batchSize() && goOn.getAsBoolean();
      message = more ? consumer.receive(NEXT_MILLIS) : null;
    }
    session.session().commit();
    return true;
  }

  private boolean dealWith(jakarta.jms.Message message) throws JMSException {
    if (LOG.isDebugEnabled()) {
      LOG.debug(
          "{}: received queue={} id={} deliveryCount={}",
          options.name(),
          queue,
          message.getJMSMessageID(),
          IncomingMapper.deliveryCount(message));
    }
    return inbox.receive(mapper.incoming(message), goOn);
  }

  /** The connection may be broken, or this queue alone: a new session tells. */
  private void failed(PooledSession session, Exception failure, boolean received) {
    LOG.debug("{}: consumer of {} failed", options.name(), queue, failure);
    try {
      links.discard(links.another(session));
    } catch (NoSessionException connectionIsBroken) {
      return;
    }
    if (!received) {
      queueTrouble.failed(SendFailure.describe(failure));
      while (goOn.getAsBoolean() && queueTrouble.nanosToNextTry() > 0) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
