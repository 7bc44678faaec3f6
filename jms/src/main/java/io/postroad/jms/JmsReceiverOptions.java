package io.postroad.jms;

import io.postroad.inbox.Handlers;
import io.postroad.inbox.IncomingBuilder;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How a {@link JmsReceiver} receives. Immutable; wrong values are refused here.
 *
 * @param name of the receiver in logs and threads. Default {@code jms-receiver}
 * @param queues where to receive from. Default none: the destinations of the inbox's handlers
 * @param owned queues of which only some messages are received, with the one header and the value
 *     that they have. Default none, and replies of this service: {@link #withOnly}
 * @param concurrency consumers per queue, each with its own session and thread. Default 10. A
 *     broker that does not keep the messages of a {@code JMSXGroupID} together (IBM MQ) keeps order
 *     with 1 only
 * @param batchSize messages per JMS commit at most. Default 10: a crash repeats that many, and
 *     repeats are cheap
 * @param maxBodyBytes the largest body that handlers get; what is larger is a dead letter. Default
 *     1 MiB, as for an outbox
 * @param messageId what deduplication knows a message by. Default nothing, so that it is {@code
 *     event_id}, else the {@code JMSMessageID}
 * @param reconnectAfter how long to wait before the second try to connect; doubles with each try.
 *     Default 200 ms
 * @param reconnectAtMost the longest wait between two tries. Default 10 s
 * @param stopWithin how long a stop waits for handlers before it interrupts them. Default 30 s
 */
public record JmsReceiverOptions(
    String name,
    Set<String> queues,
    Map<String, Owned> owned,
    int concurrency,
    int batchSize,
    int maxBodyBytes,
    MessageId messageId,
    Duration reconnectAfter,
    Duration reconnectAtMost,
    Duration stopWithin) {

  /** Finds the id of a message that others made. */
  @FunctionalInterface
  public interface MessageId {
    /** The id, the same each time the message comes; empty where Postroad's rule is to decide. */
    Optional<String> of(jakarta.jms.Message message) throws JMSException;
  }

  /** Messages whose header has this value. */
  public record Owned(String header, String value) {
    /** As a selector of JMS. */
    String selector() {
      return "%s = '%s'".formatted(HeaderNames.property(header), value.replace("'", "''"));
    }

    /** As a selector that also takes messages without the header. */
    String selectorOrNone() {
      return "%s OR %s IS NULL".formatted(selector(), HeaderNames.property(header));
    }
  }

  /**
   * Checks everything.
   *
   * @throws IllegalArgumentException naming the option, its value and what is allowed
   */
  public JmsReceiverOptions {
    if (name.isBlank()) {
      throw new IllegalArgumentException("JmsReceiverOptions.name must not be empty");
    }
    queues = Set.copyOf(queues);
    owned = Map.copyOf(owned);
    Check.positive(concurrency, "JmsReceiverOptions.concurrency");
    Check.positive(batchSize, "JmsReceiverOptions.batchSize");
    Check.positive(maxBodyBytes, "JmsReceiverOptions.maxBodyBytes");
    Check.atMost(IncomingBuilder.MAX_BYTES, maxBodyBytes, "JmsReceiverOptions.maxBodyBytes");
    Check.backoff(reconnectAfter, reconnectAtMost, "JmsReceiverOptions");
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
   * Returns what to ask of the broker when it is to deliver from a queue; empty for everything.
   * What {@link #withOnly} says comes before what the handlers want.
   */
  Optional<String> selector(String queue, Handlers<?> handlers) {
    return Optional.ofNullable(owned.get(queue))
        .map(Owned::selector)
        .or(
            () ->
                handlers
                    .only(queue)
                    .map(only -> new Owned(only.header(), only.value()).selectorOrNone()));
  }

  public JmsReceiverOptions withName(String newName) {
    return with(draft -> draft.name = newName);
  }

  /** From these queues, whatever handlers there are. */
  public JmsReceiverOptions withQueues(Set<String> newQueues) {
    return with(draft -> draft.queues = newQueues);
  }

  /**
   * Of this queue only the messages whose header has this value: the others stay for the services
   * that want them. Replies need no such call: a receiver of {@code CommandBus.receive} takes those
   * of its own service.
   */
  public JmsReceiverOptions withOnly(String queue, String header, String value) {
    Map<String, Owned> more = new HashMap<>(owned);
    more.put(queue, new Owned(header, value));
    return with(draft -> draft.owned = more);
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

  /** With other waits between tries to connect: the first one, and the longest. */
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

  /** Options of which some are about to change. */
  private static final class Draft {
    private String name;
    private Set<String> queues;
    private Map<String, Owned> owned;
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
      owned = from.owned;
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
          owned,
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
