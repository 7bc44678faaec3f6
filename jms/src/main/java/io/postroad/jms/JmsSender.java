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
 * <tr><td>body</td><td>payload: a {@code TextMessage} for text, else a
 *     {@code BytesMessage}</td></tr>
 * <tr><td>{@code JMSXGroupID}</td><td>key; absent if there is none</td></tr>
 * <tr><td>{@code JMSType}, {@code event_type}</td><td>type</td></tr>
 * <tr><td>{@code event_id}</td><td>id</td></tr>
 * <tr><td>{@code content_type}</td><td>content type of the payload; absent if it is {@code
 *     application/json}</td></tr>
 * <tr><td>{@code postroad_category}</td><td>command or reply; absent for an event</td></tr>
 * <tr><td>{@code postroad_schema_version}</td><td>schema version, decimal; absent if it is
 *     1</td></tr>
 * <tr><td>{@code postroad_aggregate_type}, {@code postroad_aggregate_id}</td><td>the aggregate;
 *     absent if there is none</td></tr>
 * <tr><td>{@code postroad_tenant}</td><td>tenant; absent if there is none</td></tr>
 * <tr><td>all other properties</td><td>the message's headers, trace context among them</td></tr>
 * </table>
 *
 * <p>Delivery is persistent, without expiry. {@code JMSCorrelationID} and {@code JMSReplyTo} are
 * not set. The receipt of an accepted message has {@code queue} and {@code message-id}.
 *
 * <table>
 * <caption>Outcomes</caption>
 * <tr><th>event</th><th>outcome</th></tr>
 * <tr><td>its transaction is committed</td><td>Accepted</td></tr>
 * <tr><td>queue does not exist; no permission to send to it; body or headers refused; too large for
 *     a
 *     queue of IBM MQ</td><td>Rejected for good</td></tr>
 * <tr><td>refused for another reason, alone in its transaction, on a working
 *     connection</td><td>Rejected for now</td></tr>
 * <tr><td>queue full, timeout, connection lost or refused, commit without a clear answer, sender
 *     closed, and everything else</td><td>Unknown</td></tr>
 * </table>
 *
 * <p><b>Order.</b> Messages of one call to one queue are sent in order, {@code batchSize} of them
 * in one transaction. If a transaction fails while the connection works, its messages are sent
 * again one by one. If one of them is not accepted, later messages of its key are not sent.
 * <b>Between</b> calls of {@link #send} there is no order; between those of a session of {@link
 * #openSession} there is.
 *
 * <p><b>Queues do not wait for each other.</b> A transaction has messages of one queue. If a queue
 * makes its sender wait, only its messages are Unknown after the send timeout. Its next
 * transactions are smaller, because a transaction larger than its queue would wait for itself.
 *
 * <p><b>Connection.</b> The first call connects. A broken connection is replaced, with growing
 * pauses between attempts. Calls wait for it until their timeout. The log has one line when it
 * breaks and one when it works again.
 *
 * <p><b>Threads.</b> Thread-safe. Calls do not block. Threads of the sender complete the outcomes:
 * do not block in a dependent stage.
 *
 * <p><b>Crash.</b> The sender stores nothing. Messages that were handed over may have arrived or
 * not. The relay sends them again, and receivers deduplicate by {@code event_id}.
 */
public final class JmsSender implements MessageSender {
  private static final String NAME = "jms";
  private static final Duration MARGIN = Duration.ofSeconds(1);

  private final JmsSenderOptions options;
  private final ScheduledThreadPoolExecutor timer;
  private final Calls calls;
  private final BrokerConnections broker;
  private final Workers workers;
  private final BatchLimits limits;

  private JmsSender(ConnectionFactory connections, JmsSenderOptions options) {
    this.options = options;
    this.timer = new ScheduledThreadPoolExecutor(1, Daemons.named("postroad-" + NAME + "-timer"));
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.calls = new Calls(options.sendTimeout(), timer);
    this.broker =
        new BrokerConnections(
            NAME, connections, options.reconnectAfter(), options.reconnectAtMost());
    this.workers = new Workers(NAME, options.sessions(), timer);
    this.limits = new BatchLimits(options.batchSize());
  }

  /** Creates a sender with the default options. */
  public static JmsSender create(ConnectionFactory connections) {
    return create(connections, JmsSenderOptions.defaults());
  }

  /** Creates a sender. Does not connect; the first {@link #send} does. */
  public static JmsSender create(ConnectionFactory connections, JmsSenderOptions options) {
    return new JmsSender(connections, options);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Returns the send timeout plus one second: 16 s by default. */
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
   * <p>A call does not wait for the outcome of the call before: messages that are handed over
   * during a commit go into the next transaction of their queue. A message that is not accepted
   * ends the session for its queue; the other queues of the session continue.
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
                deadline -> new Transfer(queue, broker, limits, deadline)));
  }

  /** Ends at once, without waiting for the broker. Messages in flight become Unknown. */
  @Override
  public void close() {
    broker.close();
    workers.close();
    timer.shutdown();
    calls.close();
  }
}
