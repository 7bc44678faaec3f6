package io.postroad.jms;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * Sends messages to the queues of any Jakarta JMS broker, in transactions.
 *
 * <table>
 * <caption>A message as a JMS message; header names by {@link HeaderNames}, all properties are
 *     strings</caption>
 * <tr><th>JMS</th><th>message</th></tr>
 * <tr><td>queue</td><td>destination</td></tr>
 * <tr><td>body</td><td>payload: a {@code TextMessage} where it is text, else a {@code
 *     BytesMessage}</td></tr>
 * <tr><td>{@code JMSXGroupID}</td><td>key; not set when there is none</td></tr>
 * <tr><td>{@code JMSType}, {@code event_type}</td><td>type</td></tr>
 * <tr><td>{@code event_id}</td><td>id</td></tr>
 * <tr><td>{@code content_type}</td><td>content type of the payload; left out when it is {@code
 *     application/json}</td></tr>
 * <tr><td>{@code postroad_category}</td><td>command or reply; left out for an event</td></tr>
 * <tr><td>{@code postroad_schema_version}</td><td>schema version, decimal; left out when it is
 *     1</td></tr>
 * <tr><td>{@code postroad_aggregate_type}, {@code postroad_aggregate_id}</td><td>the aggregate;
 *     left out when there is none</td></tr>
 * <tr><td>{@code postroad_tenant}</td><td>tenant; left out when there is none</td></tr>
 * <tr><td>all other properties</td><td>the message's headers, trace context among them</td></tr>
 * </table>
 *
 * <p>Delivery is persistent, without expiry. {@code JMSCorrelationID} and {@code JMSReplyTo} are
 * not set. The receipt of an accepted message has {@code queue} and {@code message-id}.
 *
 * <table>
 * <caption>Outcomes</caption>
 * <tr><th>what happened</th><th>outcome</th></tr>
 * <tr><td>its transaction is committed</td><td>Accepted</td></tr>
 * <tr><td>queue does not exist; no right to send to it; body or headers refused; too large for a
 *     queue of IBM MQ</td><td>Rejected for good</td></tr>
 * <tr><td>refused for another reason, alone in its transaction, over a connection that
 *     works</td><td>Rejected for now</td></tr>
 * <tr><td>queue full, time-out, connection lost or refused, commit without a clear answer, sender
 *     closed, and everything else</td><td>Unknown</td></tr>
 * </table>
 *
 * <p><b>Order.</b> Messages of one call to one queue are sent in order, {@code batchSize} of them
 * in one transaction. When a transaction fails while the connection works, its messages are sent
 * again one by one; those behind one of their key that is not accepted are withheld. <b>Between</b>
 * calls of {@link #send} there is no order; between those of a session of {@link #openSession}
 * there is.
 *
 * <p><b>Queues do not wait for each other.</b> A transaction has messages of one queue. A queue
 * that makes its sender wait is Unknown after the send timeout, alone; its next transactions are
 * smaller, because one that is larger than its queue would wait for itself.
 *
 * <p><b>Connection.</b> Made by the first call, and again after trouble, with growing pauses. Calls
 * wait for it until their timeout. Trouble is logged once when it begins and once when it is over.
 *
 * <p><b>Threads.</b> Safe to use from many threads; calls do not block. Outcomes are completed on
 * threads of the sender: do not block in a dependent stage.
 *
 * <p><b>Crash.</b> Nothing is kept here. What was handed over may arrive or not; the relay sends it
 * again, and receivers deduplicate by {@code event_id}.
 */
public final class JmsSender implements MessageSender {
  private static final String NAME = "jms";
  private static final Duration MARGIN = Duration.ofSeconds(1);

  private final JmsSenderOptions options;
  private final ScheduledThreadPoolExecutor timer;
  private final Calls calls;
  private final Links links;
  private final Workers workers;
  private final BatchLimits limits;

  private JmsSender(ConnectionFactory connections, JmsSenderOptions options) {
    this.options = options;
    this.timer = new ScheduledThreadPoolExecutor(1, Daemons.named("postroad-" + NAME + "-timer"));
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.calls = new Calls(options.sendTimeout(), timer);
    this.links = new Links(NAME, connections, options.reconnectAfter(), options.reconnectAtMost());
    this.workers = new Workers(NAME, options.sessions(), timer);
    this.limits = new BatchLimits(options.batchSize());
  }

  /** A sender with the default options. */
  public static JmsSender create(ConnectionFactory connections) {
    return create(connections, JmsSenderOptions.defaults());
  }

  /** A sender with these options. Does not connect: the first {@link #send} does. */
  public static JmsSender create(ConnectionFactory connections, JmsSenderOptions options) {
    return new JmsSender(connections, options);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** The send timeout plus one second: 16 s by default. */
  @Override
  public Duration timeout() {
    return options.sendTimeout().plus(MARGIN);
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    return newSession().send(messages);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Calls follow each other without waiting for the caller: what is handed over while a
   * transaction is being committed goes into the next one of its queue. A message that is not
   * accepted ends what goes to its queue; the other queues of the session go on.
   */
  @Override
  public SendSession openSession() {
    return newSession();
  }

  private JmsSendSession newSession() {
    return new JmsSendSession(
        queue ->
            new QueueSession(
                calls,
                workers,
                options.batchSize(),
                deadline -> new Transfer(queue, links, limits, deadline)));
  }

  /** Ends at once: does not wait for the broker, and what is in flight becomes Unknown. */
  @Override
  public void close() {
    links.close();
    workers.close();
    timer.shutdown();
    calls.close();
  }
}
