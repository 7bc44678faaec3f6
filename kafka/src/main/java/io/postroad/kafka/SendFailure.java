package io.postroad.kafka;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Decides the outcome of a message from a failure of Kafka's producer.
 *
 * <p>A message is Rejected only if the exception means that this message was refused; everything
 * else is Unknown. Unknown includes all failures of the connection or the producer: timeouts,
 * disconnects, failed login, a missing permission for idempotent writes, lost sequence numbers.
 */
final class SendFailure {
  /** Refusals that a retry cannot change, with advice. */
  private static final Map<Class<? extends Exception>, String> FOR_GOOD =
      Map.of(
          RecordTooLargeException.class,
          "make the payload smaller, or raise max.message.bytes of the topic and max.request.size"
              + " of the sender",
          InvalidTopicException.class,
          "use a name that Kafka allows",
          UnknownTopicOrPartitionException.class,
          "create the topic, then replay",
          TopicAuthorizationException.class,
          "let this client write to the topic, then replay",
          SerializationException.class,
          "check the interceptors of the sender",
          InvalidRecordException.class,
          "check the rules of the topic; a compacted topic takes no message without a key");

  private SendFailure() {}

  /** Returns the outcome of a message that the producer had accepted. */
  static SendOutcome afterHandOver(Message message, Throwable failure) {
    return rejected(message, failure)
        .orElseGet(
            () ->
                new Unknown(
                    "sending %s to Kafka failed, it may have arrived or not: %s"
                        .formatted(message, describe(failure))));
  }

  /** Returns the outcome of a message that the producer refused. */
  static SendOutcome atHandOver(Message message, Throwable failure) {
    return rejected(message, failure).orElseGet(() -> notHandedOver(message, describe(failure)));
  }

  /** Returns the outcome of a message that timed out while later messages were accepted. */
  static SendOutcome ofItsPartition(Message message, Throwable failure) {
    return Unknown.onlyItsKey(
        "sending %s to Kafka failed while other partitions answered, it may have arrived or not: %s"
            .formatted(message, describe(failure)));
  }

  /** Returns the outcome of a message in a transaction that failed because of another message. */
  static SendOutcome inFailedTransaction(Message message, Throwable failure) {
    return new Unknown(
        "%s was in a transaction that failed because of another message: %s"
            .formatted(message, describe(failure)));
  }

  static Unknown notHandedOver(Message message, String why) {
    return new Unknown("%s was not handed to Kafka: %s".formatted(message, why));
  }

  private static Optional<SendOutcome> rejected(Message message, Throwable failure) {
    Throwable cause = isUnknownTopic(failure) ? unknownTopic(failure) : failure;
    for (Map.Entry<Class<? extends Exception>, String> rule : FOR_GOOD.entrySet()) {
      if (rule.getKey().isInstance(cause)) {
        return Optional.of(
            Rejected.forGood(
                "Kafka refused %s: %s; %s".formatted(message, describe(cause), rule.getValue())));
      }
    }
    return cause instanceof InvalidTimestampException
            || cause instanceof RecordBatchTooLargeException
        ? Optional.of(Rejected.forNow("Kafka refused %s: %s".formatted(message, describe(cause))))
        : Optional.empty();
  }

  /**
   * Returns whether a broker answered that the topic does not exist.
   *
   * <p>The producer keeps asking until {@code max.block.ms}, then reports a timeout, as it does if
   * no broker answers. Clients since 3.9 tell the two apart by the cause: the last error that a
   * broker returned for the topic, or none.
   */
  static boolean isUnknownTopic(Throwable failure) {
    return failure instanceof UnknownTopicOrPartitionException
        || (failure instanceof TimeoutException
            && failure.getCause() instanceof UnknownTopicOrPartitionException);
  }

  private static Throwable unknownTopic(Throwable failure) {
    return failure.getCause() instanceof UnknownTopicOrPartitionException cause ? cause : failure;
  }

  static String describe(Throwable failure) {
    String text = failure.getMessage();
    String name = failure.getClass().getSimpleName();
    return text == null ? name : name + ": " + text;
  }
}
