package io.postroad.kafka;

import static io.postroad.kafka.TestTopics.large;
import static io.postroad.kafka.TestTopics.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.servers.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Later messages must not overtake a message that the broker refuses. */
class KafkaSenderOrderTest {
  private static final int FOLLOWERS = 100;

  private final TestTopics topics = new TestTopics(KafkaServer.shared());
  private final KafkaSenderOptions options =
      KafkaSenderOptions.of(KafkaServer.shared().bootstrapServers())
          .withSendTimeout(Duration.ofSeconds(10));

  /**
   * With batches of one message, later messages have their own requests. A new producer matters,
   * because the broker accepts any sequence number from a producer that it does not know.
   */
  @ParameterizedTest
  @CsvSource({"0, fresh", "0, known", "16384, fresh", "16384, known"})
  void noLaterMessageOvertakesAMessageThatTheBrokerRefuses(int batchSize, String producer) {
    String topic = topics.create(1, Map.of("max.message.bytes", "20000"));
    try (KafkaSender sender = KafkaSender.create(options.withSetting("batch.size", batchSize))) {
      List<String> expected = new ArrayList<>();
      if (producer.equals("known")) {
        Outcomes.accepted(Outcomes.sendOne(sender, message("First", topic, "k")));
        expected.add("First");
      }

      List<SendOutcome> outcomes = Outcomes.send(sender, largeWithFollowers(topic));

      assertThat(Outcomes.rejectedForGood(outcomes.get(0)))
          .contains("Large -> " + topic)
          .contains("max.message.bytes of the topic");
      outcomes.subList(1, outcomes.size()).forEach(Outcomes::unknown);
      assertThat(topics.readTypes(topic)).isEqualTo(expected);

      // The relay's next step: the refused message is blocked or dead, the others are sent again.
      List<Message> again =
          List.of(message("Follower0", topic, "k"), message("Follower1", topic, "k"));
      Outcomes.send(sender, again).forEach(Outcomes::accepted);
      expected.addAll(List.of("Follower0", "Follower1"));
      assertThat(topics.readTypes(topic)).isEqualTo(expected);
    }
  }

  @Test
  void callsInFlightBehindAFailureAreUnknown() {
    String topic = topics.create(1, Map.of("max.message.bytes", "20000"));
    KafkaSenderOptions lingering =
        options.withSettings(Map.of("linger.ms", 200, "batch.size", 16384));
    try (KafkaSender sender = KafkaSender.create(lingering)) {
      // Both calls are in the producer's buffer before a message is sent.
      List<CompletionStage<SendOutcome>> first =
          sender.send(List.of(large("Large", topic, "k", 30_000), message("A", topic, "k")));
      List<CompletionStage<SendOutcome>> second = sender.send(List.of(message("B", topic, "k")));

      Outcomes.await(sender, second).forEach(Outcomes::unknown);
      Outcomes.unknown(Outcomes.await(sender, first).get(1));
      assertThat(topics.readTypes(topic)).isEmpty();
    }
  }

  @Test
  void batchesAboveTheLimitOfTheTopicAreReducedAndTheTooLargeMessageIsFound() {
    String topic = topics.create(1, Map.of("max.message.bytes", "20000"));
    KafkaSenderOptions lingering =
        options.withSendTimeout(Duration.ofSeconds(2)).withSetting("linger.ms", 100);
    List<Message> remaining = new ArrayList<>(largeWithFollowers(topic));
    remaining.add(0, message("First", topic, "k"));
    int refused = 0;

    try (KafkaSender sender = KafkaSender.create(lingering)) {
      for (int attempt = 1; attempt <= Outcomes.ATTEMPTS && !remaining.isEmpty(); attempt++) {
        List<Message> unknown = new ArrayList<>();
        List<SendOutcome> outcomes = Outcomes.send(sender, remaining);
        for (int i = 0; i < outcomes.size(); i++) {
          if (outcomes.get(i) instanceof Unknown) {
            unknown.add(remaining.get(i));
          } else if (remaining.get(i).type().equals("Large")) {
            Outcomes.rejectedForGood(outcomes.get(i));
            refused++;
          }
        }
        remaining = unknown;
      }
    }

    assertThat(remaining).isEmpty();
    assertThat(refused).isEqualTo(1);
    List<String> inOrder = new ArrayList<>(List.of("First"));
    IntStream.range(0, FOLLOWERS).forEach(i -> inOrder.add("Follower" + i));
    assertThat(List.copyOf(new LinkedHashSet<>(topics.readTypes(topic)))).isEqualTo(inOrder);
  }

  private static List<Message> largeWithFollowers(String topic) {
    List<Message> messages = new ArrayList<>();
    messages.add(large("Large", topic, "k", 30_000));
    for (int i = 0; i < FOLLOWERS; i++) {
      messages.add(message("Follower" + i, topic, "k"));
    }
    return messages;
  }
}
