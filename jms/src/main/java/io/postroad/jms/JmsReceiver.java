package io.postroad.jms;

import io.postroad.inbox.Inbox;
import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives messages from the queues of any Jakarta JMS broker and passes them to an {@link Inbox}.
 *
 * <p>Each consumer has its own thread and transacted session. It receives a few messages, passes
 * each to the inbox, and commits the session after the database has committed. While the database
 * fails, the consumer waits inside the inbox: the broker sees no rollback and counts no delivery.
 *
 * <table>
 * <caption>A JMS message as handlers get it; messages of {@link JmsSender} are restored
 *     completely</caption>
 * <tr><th>message</th><th>JMS</th></tr>
 * <tr><td>id for deduplication</td><td>{@link JmsReceiverOptions#messageId()}, else {@code
 *     event_id}, else {@code JMSMessageID}; if its sender left that out, too, each delivery is
 *     handled</td></tr>
 * <tr><td>type</td><td>{@code event_type}, else {@code JMSType}</td></tr>
 * <tr><td>key</td><td>{@code JMSXGroupID}</td></tr>
 * <tr><td>payload</td><td>body of a {@code TextMessage} or {@code BytesMessage}; empty if there is
 *     none</td></tr>
 * <tr><td>headers</td><td>all properties that do not begin with {@code JMS}, by {@link
 *     HeaderNames}, numbers and booleans as text</td></tr>
 * <tr><td>header {@value #DELIVERY_COUNT_HEADER}</td><td>{@code JMSXDeliveryCount}, from the second
 *     delivery on</td></tr>
 * <tr><td>header {@value #CORRELATION_HEADER}</td><td>{@code JMSCorrelationID}</td></tr>
 * </table>
 *
 * <p>A {@code MapMessage}, {@code StreamMessage} or {@code ObjectMessage} becomes a dead letter
 * with that reason, and so does an unreadable message. Objects are never deserialised.
 *
 * <p><b>Order.</b> Messages of one key are handled in the order of the queue if the broker gives a
 * {@code JMSXGroupID} to one consumer at a time, as Artemis does. For other brokers (IBM MQ), set
 * {@code concurrency} to 1, on one node.
 *
 * <p><b>Connection.</b> A broken connection is replaced, with growing pauses between attempts. The
 * log has one line when it breaks and one when it works again. Configure unlimited deliveries in
 * the broker ({@code max-delivery-attempts} -1 on Artemis), because lost connections count as
 * deliveries. Failing handlers do not: the retry line repeats their messages.
 *
 * <p><b>Threads.</b> Thread-safe. A second start or stop has no effect. A stopped receiver can be
 * started again. <b>Crash.</b> The broker delivers uncommitted messages again. They are duplicates
 * if the database had committed.
 */
public final class JmsReceiver implements AutoCloseable {
  /** Header with the number of deliveries by the broker; only if there was more than one. */
  public static final String DELIVERY_COUNT_HEADER = "jms-delivery-count";

  /** Header with the {@code JMSCorrelationID}. */
  public static final String CORRELATION_HEADER = "jms-correlation-id";

  private static final Duration PAUSE_WITHIN = Duration.ofSeconds(2);
  private static final Logger LOG = LoggerFactory.getLogger(JmsReceiver.class);

  private final ConnectionFactory connections;
  private final JmsReceiverOptions options;
  private final Inbox<?> inbox;
  private @Nullable Run running;

  private JmsReceiver(ConnectionFactory connections, JmsReceiverOptions options, Inbox<?> inbox) {
    this.connections = connections;
    this.options = options;
    this.inbox = inbox;
  }

  /**
   * Creates a receiver, which must be started.
   *
   * @throws IllegalStateException if the inbox has no retry store, or if there is no queue to
   *     receive from
   */
  public static JmsReceiver create(
      ConnectionFactory connections, JmsReceiverOptions options, Inbox<?> inbox) {
    inbox.requireRetries();
    JmsReceiver receiver = new JmsReceiver(connections, options, inbox);
    if (receiver.queues().isEmpty()) {
      throw new IllegalStateException(
          "%s has no queue to receive from: register handlers, or set JmsReceiverOptions.queues"
              .formatted(options.name()));
    }
    return receiver;
  }

  private Set<String> queues() {
    return options.queues().isEmpty() ? inbox.handlers().destinations() : options.queues();
  }

  /** Starts receiving. Does not wait for the broker. */
  public synchronized void start() {
    if (running == null) {
      running = new Run();
      LOG.info(
          "{}: receiving queues={} concurrency={}",
          options.name(),
          queues(),
          options.concurrency());
    }
  }

  /** Stops receiving, after the messages that are being handled. */
  public synchronized void stop() {
    if (running != null) {
      running.stop();
      running = null;
      LOG.info("{}: stopped", options.name());
    }
  }

  public synchronized boolean isRunning() {
    return running != null;
  }

  /** Stops this receiver. */
  @Override
  public void close() {
    stop();
  }

  /** The threads and the connection from a start to its stop. */
  private final class Run {
    private final AtomicBoolean isRunning = new AtomicBoolean(true);
    private final List<Thread> threads = new ArrayList<>();
    private final BrokerConnections broker =
        new BrokerConnections(
            options.name(), connections, options.reconnectAfter(), options.reconnectAtMost());

    Run() {
      for (String queue : queues()) {
        Reconnect reconnect =
            new Reconnect(
                options.name(),
                "unable to receive from queue " + queue,
                options.reconnectAfter(),
                options.reconnectAtMost());
        for (int i = 1; i <= options.concurrency(); i++) {
          Thread thread =
              new Thread(
                  new ConsumerLoop(queue, options, broker, reconnect, inbox, isRunning::get),
                  "%s-%s-%d".formatted(options.name(), queue, i));
          thread.setDaemon(true);
          threads.add(thread);
        }
      }
      threads.forEach(Thread::start);
    }

    void stop() {
      broker.pause(PAUSE_WITHIN);
      isRunning.set(false);
      long deadline = System.nanoTime() + options.stopWithin().toNanos();
      boolean ended = join(deadline);
      if (!ended) {
        LOG.warn(
            "{}: handlers did not end within {}, interrupting them",
            options.name(),
            options.stopWithin());
        threads.forEach(Thread::interrupt);
      }
      broker.close();
    }

    private boolean join(long deadline) {
      try {
        for (Thread thread : threads) {
          long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
          thread.join(Math.max(1, left));
          if (thread.isAlive()) {
            return false;
          }
        }
        return true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
