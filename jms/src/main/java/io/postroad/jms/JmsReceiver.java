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
 * Receives messages from the queues of any Jakarta JMS broker and has an {@link Inbox} deal with
 * them.
 *
 * <p>Each consumer has a thread and a transacted session of its own: it receives a few messages,
 * has the inbox deal with each, and commits the session when the database has committed. While the
 * database fails it waits inside the inbox: the broker sees no rollback and counts no delivery.
 *
 * <table>
 * <caption>A JMS message as handlers get it; what {@link JmsSender} wrote comes back as it
 *     was</caption>
 * <tr><th>message</th><th>JMS</th></tr>
 * <tr><td>id for deduplication</td><td>{@link JmsReceiverOptions#messageId()}, else {@code
 *     event_id}, else {@code JMSMessageID}; where its sender left that out, too, it is handled each
 *     time it comes</td></tr>
 * <tr><td>type</td><td>{@code event_type}, else {@code JMSType}</td></tr>
 * <tr><td>key</td><td>{@code JMSXGroupID}</td></tr>
 * <tr><td>payload</td><td>body of a {@code TextMessage} or {@code BytesMessage}; empty where there
 *     is none</td></tr>
 * <tr><td>headers</td><td>all properties that do not begin with {@code JMS}, by {@link
 *     HeaderNames}, numbers and booleans as text</td></tr>
 * <tr><td>header {@value #DELIVERY_COUNT_HEADER}</td><td>{@code JMSXDeliveryCount}, from the second
 *     delivery on</td></tr>
 * <tr><td>header {@value #CORRELATION_HEADER}</td><td>{@code JMSCorrelationID}</td></tr>
 * </table>
 *
 * <p>A {@code MapMessage}, {@code StreamMessage} or {@code ObjectMessage} becomes a dead letter
 * with that reason, and so does what cannot be read; objects are never deserialised.
 *
 * <p><b>Order.</b> Messages of one key are handled in the order of the queue where the broker gives
 * a {@code JMSXGroupID} to one consumer at a time, as Artemis does. Where it does not (IBM MQ), set
 * {@code concurrency} to 1, on one node.
 *
 * <p><b>Connection.</b> After trouble a new one is made, with growing pauses; it is logged once
 * when it begins and once when it is over. Set the broker not to give up on messages ({@code
 * max-delivery-attempts} -1 on Artemis): a failing handler never makes it deliver again.
 *
 * <p><b>Threads.</b> Safe to use from many threads. Starting and stopping twice is legal, and so is
 * starting again. <b>Crash.</b> What was not committed to the broker is delivered again, and is a
 * duplicate where the database had committed.
 */
public final class JmsReceiver implements AutoCloseable {
  /** How often the broker has delivered it; only where that is more than once. */
  public static final String DELIVERY_COUNT_HEADER = "jms-delivery-count";

  /** The {@code JMSCorrelationID}. */
  public static final String CORRELATION_HEADER = "jms-correlation-id";

  private static final Duration PAUSES_WITHIN = Duration.ofSeconds(2);
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
   * A receiver that is not started.
   *
   * @throws IllegalStateException when the inbox has no retry store, or there is no queue to
   *     receive from
   */
  public static JmsReceiver create(
      ConnectionFactory connections, JmsReceiverOptions options, Inbox<?> inbox) {
    inbox.requireRetries();
    JmsReceiver receiver = new JmsReceiver(connections, options, inbox);
    if (receiver.queues().isEmpty()) {
      throw new IllegalStateException(
          "%s has no queue to receive from: register handlers with the inbox, or name queues in JmsReceiverOptions.queues"
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

  /** {@link #stop()}. */
  @Override
  public void close() {
    stop();
  }

  /** From a start to its stop. */
  private final class Run {
    private final AtomicBoolean goOn = new AtomicBoolean(true);
    private final List<Thread> threads = new ArrayList<>();
    private final Links links =
        new Links(options.name(), connections, options.reconnectAfter(), options.reconnectAtMost());

    Run() {
      for (String queue : queues()) {
        Reconnect trouble =
            new Reconnect(
                options.name(),
                "unable to receive from queue " + queue,
                options.reconnectAfter(),
                options.reconnectAtMost());
        for (int i = 1; i <= options.concurrency(); i++) {
          Thread thread =
              new Thread(
                  new ConsumerLoop(queue, options, links, trouble, inbox, goOn::get),
                  "%s-%s-%d".formatted(options.name(), queue, i));
          thread.setDaemon(true);
          threads.add(thread);
        }
      }
      threads.forEach(Thread::start);
    }

    void stop() {
      links.pause(PAUSES_WITHIN);
      goOn.set(false);
      long deadline = System.nanoTime() + options.stopWithin().toNanos();
      boolean ended = join(deadline);
      if (!ended) {
        LOG.warn(
            "{}: handlers did not end within {}, interrupting them",
            options.name(),
            options.stopWithin());
        threads.forEach(Thread::interrupt);
      }
      links.close();
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
