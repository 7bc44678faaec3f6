package io.postroad.jms;

import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * How a {@link JmsReceiver} receives. Immutable; wrong values are refused here.
 *
 * @param name of the receiver in logs and threads. Default {@code jms-receiver}
 * @param queues where to receive from. Default none: the destinations of the inbox's handlers
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
    Check.positive(concurrency, "JmsReceiverOptions.concurrency");
    Check.positive(batchSize, "JmsReceiverOptions.batchSize");
    Check.positive(maxBodyBytes, "JmsReceiverOptions.maxBodyBytes");
    Check.backoff(reconnectAfter, reconnectAtMost, "JmsReceiverOptions");
    Check.positive(stopWithin, "JmsReceiverOptions.stopWithin");
  }

  public static JmsReceiverOptions defaults() {
    return new JmsReceiverOptions(
        "jms-receiver",
        Set.of(),
        10,
        10,
        1024 * 1024,
        message -> Optional.empty(),
        Duration.ofMillis(200),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30));
  }

  public JmsReceiverOptions withName(String newName) {
    return new JmsReceiverOptions(
        newName,
        queues,
        concurrency,
        batchSize,
        maxBodyBytes,
        messageId,
        reconnectAfter,
        reconnectAtMost,
        stopWithin);
  }

  /** From these queues, whatever handlers there are. */
  public JmsReceiverOptions withQueues(Set<String> newQueues) {
    return new JmsReceiverOptions(
        name,
        newQueues,
        concurrency,
        batchSize,
        maxBodyBytes,
        messageId,
        reconnectAfter,
        reconnectAtMost,
        stopWithin);
  }

  public JmsReceiverOptions withConcurrency(int newConcurrency) {
    return new JmsReceiverOptions(
        name,
        queues,
        newConcurrency,
        batchSize,
        maxBodyBytes,
        messageId,
        reconnectAfter,
        reconnectAtMost,
        stopWithin);
  }

  public JmsReceiverOptions withBatchSize(int newBatchSize) {
    return new JmsReceiverOptions(
        name,
        queues,
        concurrency,
        newBatchSize,
        maxBodyBytes,
        messageId,
        reconnectAfter,
        reconnectAtMost,
        stopWithin);
  }

  public JmsReceiverOptions withMaxBodyBytes(int newMaxBodyBytes) {
    return new JmsReceiverOptions(
        name,
        queues,
        concurrency,
        batchSize,
        newMaxBodyBytes,
        messageId,
        reconnectAfter,
        reconnectAtMost,
        stopWithin);
  }

  public JmsReceiverOptions withMessageId(MessageId newMessageId) {
    return new JmsReceiverOptions(
        name,
        queues,
        concurrency,
        batchSize,
        maxBodyBytes,
        newMessageId,
        reconnectAfter,
        reconnectAtMost,
        stopWithin);
  }

  /** With other waits between tries to connect: the first one, and the longest. */
  public JmsReceiverOptions withReconnect(Duration after, Duration atMost) {
    return new JmsReceiverOptions(
        name, queues, concurrency, batchSize, maxBodyBytes, messageId, after, atMost, stopWithin);
  }

  public JmsReceiverOptions withStopWithin(Duration newStopWithin) {
    return new JmsReceiverOptions(
        name,
        queues,
        concurrency,
        batchSize,
        maxBodyBytes,
        messageId,
        reconnectAfter,
        reconnectAtMost,
        newStopWithin);
  }
}
