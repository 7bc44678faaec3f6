package io.postroad.jms;

import io.postroad.inbox.Handlers;
import io.postroad.inbox.IncomingBuilder;
import io.postroad.internal.loop.Check;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Options of a {@link JmsReceiver}. Immutable. The constructor refuses wrong values.
 *
 * @param name the name of the receiver in logs and thread names; {@code jms-receiver}
 * @param queues the queues to receive from; empty, the default, for the destinations of the inbox's
 *     handlers
 * @param filters header values that select the messages of a queue; none by default, except for
 *     replies of this service: {@link #withOnly}
 * @param concurrency the number of consumers per queue, each with its own session and thread; 10. A
 *     broker that does not give the messages of a {@code JMSXGroupID} to one consumer (IBM MQ)
 *     keeps order only with 1
 * @param batchSize the most messages per JMS commit; 10. After a crash that many messages are
 *     delivered again
 * @param maxBodyBytes the largest body that handlers get; 1 MiB. A message with a larger body
 *     becomes a dead letter
 * @param messageId returns the id of a message for deduplication, or empty to use {@code event_id},
 *     else the {@code JMSMessageID}; by default always empty
 * @param reconnectAfter the wait before the second attempt to connect; doubles with each attempt;
 *     200 ms
 * @param reconnectAtMost the longest wait between two attempts; 10 s
 * @param stopWithin how long a stop waits for handlers before it interrupts them; 30 s
 */
public record JmsReceiverOptions(
    String name,
    Set<String> queues,
    Map<String, Handlers.HeaderFilter> filters,
    int concurrency,
    int batchSize,
    int maxBodyBytes,
    MessageId messageId,
    Duration reconnectAfter,
    Duration reconnectAtMost,
    Duration stopWithin) {

  /** Finds the id of a message of another sender. */
  @FunctionalInterface
  public interface MessageId {
    /**
     * Returns the id, which must be the same for each delivery of the message; empty to use
     * Postroad's rule.
     */
    Optional<String> of(jakarta.jms.Message message) throws JMSException;
  }

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException if a value is wrong; the text has the option, its value and
   *     the allowed ones
   */
  public JmsReceiverOptions {
    if (name.isBlank()) {
      throw new IllegalArgumentException("JmsReceiverOptions.name must not be empty");
    }
    queues = Set.copyOf(queues);
    filters = Map.copyOf(filters);
    Check.atLeast(1, concurrency, "JmsReceiverOptions.concurrency");
    Check.atLeast(1, batchSize, "JmsReceiverOptions.batchSize");
    Check.atLeast(1, maxBodyBytes, "JmsReceiverOptions.maxBodyBytes");
    Check.atMost(IncomingBuilder.MAX_BYTES, maxBodyBytes, "JmsReceiverOptions.maxBodyBytes");
    Check.positive(reconnectAfter, "JmsReceiverOptions.reconnectAfter");
    Check.notBelow(
        reconnectAfter, reconnectAtMost, "JmsReceiverOptions.reconnectAtMost", "reconnectAfter");
    Check.positive(stopWithin, "JmsReceiverOptions.stopWithin");
  }

  public static JmsReceiverOptions defaults() {
    return new JmsReceiverOptions(
        "jms-receiver",
        Set.of(),
        Map.of(),
        10,
        10,
        1024 * 1024,
        message -> Optional.empty(),
        Duration.ofMillis(200),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30));
  }

  /**
   * Returns the JMS selector for a queue; empty to receive all messages. {@link #withOnly} precedes
   * the filters of the handlers.
   */
  Optional<String> selector(String queue, Handlers<?> handlers) {
    return Optional.ofNullable(filters.get(queue))
        .map(JmsReceiverOptions::selector)
        .or(
            () ->
                handlers
                    .filter(queue)
                    .map(
                        filter ->
                            "%s OR %s IS NULL"
                                .formatted(
                                    selector(filter), HeaderNames.property(filter.header()))));
  }

  private static String selector(Handlers.HeaderFilter filter) {
    return "%s = '%s'"
        .formatted(HeaderNames.property(filter.header()), filter.value().replace("'", "''"));
  }

  public JmsReceiverOptions withName(String newName) {
    return with(draft -> draft.name = newName);
  }

  /** Receives from these queues, whatever handlers there are. */
  public JmsReceiverOptions withQueues(Set<String> newQueues) {
    return with(draft -> draft.queues = newQueues);
  }

  /**
   * Receives only those messages of a queue that have this value in the header; the others stay for
   * other services. Replies do not need this call: a receiver of {@code CommandBus.receive}
   * receives those of its own service.
   */
  public JmsReceiverOptions withOnly(String queue, String header, String value) {
    Map<String, Handlers.HeaderFilter> more = new HashMap<>(filters);
    more.put(queue, new Handlers.HeaderFilter(header, value));
    return with(draft -> draft.filters = more);
  }

  public JmsReceiverOptions withConcurrency(int newConcurrency) {
    return with(draft -> draft.concurrency = newConcurrency);
  }

  public JmsReceiverOptions withBatchSize(int newBatchSize) {
    return with(draft -> draft.batchSize = newBatchSize);
  }

  public JmsReceiverOptions withMaxBodyBytes(int newMaxBodyBytes) {
    return with(draft -> draft.maxBodyBytes = newMaxBodyBytes);
  }

  public JmsReceiverOptions withMessageId(MessageId newMessageId) {
    return with(draft -> draft.messageId = newMessageId);
  }

  /** Sets the first and the longest wait between attempts to connect. */
  public JmsReceiverOptions withReconnect(Duration after, Duration atMost) {
    return with(
        draft -> {
          draft.reconnectAfter = after;
          draft.reconnectAtMost = atMost;
        });
  }

  public JmsReceiverOptions withStopWithin(Duration newStopWithin) {
    return with(draft -> draft.stopWithin = newStopWithin);
  }

  private JmsReceiverOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** Mutable copy of the options. */
  private static final class Draft {
    private String name;
    private Set<String> queues;
    private Map<String, Handlers.HeaderFilter> filters;
    private int concurrency;
    private int batchSize;
    private int maxBodyBytes;
    private MessageId messageId;
    private Duration reconnectAfter;
    private Duration reconnectAtMost;
    private Duration stopWithin;

    Draft(JmsReceiverOptions from) {
      name = from.name;
      queues = from.queues;
      filters = from.filters;
      concurrency = from.concurrency;
      batchSize = from.batchSize;
      maxBodyBytes = from.maxBodyBytes;
      messageId = from.messageId;
      reconnectAfter = from.reconnectAfter;
      reconnectAtMost = from.reconnectAtMost;
      stopWithin = from.stopWithin;
    }

    JmsReceiverOptions options() {
      return new JmsReceiverOptions(
          name,
          queues,
          filters,
          concurrency,
          batchSize,
          maxBodyBytes,
          messageId,
          reconnectAfter,
          reconnectAtMost,
          stopWithin);
    }
  }
}
