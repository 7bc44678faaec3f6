package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import java.util.stream.Stream;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SendFailureTest {
  private final Message message = Message.event("A").to("orders").json("{\"secret\":1}").build();

  static Stream<Exception> forGood() {
    return Stream.of(
        new RecordTooLargeException("too large"),
        new InvalidTopicException("bad name"),
        new UnknownTopicOrPartitionException("no such topic"),
        new TimeoutException("not present", new UnknownTopicOrPartitionException("no such topic")),
        new TopicAuthorizationException("orders"),
        new SerializationException("cannot"),
        new InvalidRecordException("no key"));
  }

  static Stream<Exception> forNow() {
    return Stream.of(
        new InvalidTimestampException("too old"), new RecordBatchTooLargeException("too large"));
  }

  static Stream<Exception> unknown() {
    return Stream.of(
        new TimeoutException("expired"),
        new TimeoutException("not present", new LeaderNotAvailableException("no leader")),
        new DisconnectException(),
        new NotEnoughReplicasException("one of two"),
        new OutOfOrderSequenceException("gap"),
        new UnknownServerException("?"),
        new SaslAuthenticationException("wrong password"),
        new ClusterAuthorizationException("no idempotent write"),
        new KafkaException("Producer is closed forcefully."),
        new IllegalStateException("Cannot perform operation after producer has been closed"));
  }

  @ParameterizedTest
  @MethodSource
  void forGood(Exception failure) {
    assertThat(Outcomes.rejectedForGood(SendFailure.afterHandOver(message, failure)))
        .startsWith("Kafka refused Message[" + message.id() + ", A -> orders]: ")
        .doesNotContain("secret");
    Outcomes.rejectedForGood(SendFailure.atHandOver(message, failure));
  }

  @ParameterizedTest
  @MethodSource
  void forNow(Exception failure) {
    SendOutcome outcome = SendFailure.afterHandOver(message, failure);

    assertThat(outcome).isEqualTo(Rejected.forNow(((Rejected) outcome).error()));
  }

  @ParameterizedTest
  @MethodSource
  void unknown(Exception failure) {
    assertThat(Outcomes.unknown(SendFailure.afterHandOver(message, failure)))
        .contains("it may have arrived or not")
        .contains(failure.getClass().getSimpleName());
    assertThat(SendFailure.atHandOver(message, failure)).isInstanceOf(Unknown.class);
  }
}
