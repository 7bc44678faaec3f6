package io.postroad.kafka;

import static io.postroad.kafka.TestTopics.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.ServerOptions;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Starts its own broker, because the test kills and freezes it. */
class KafkaSenderFaultTest {
  private static KafkaServer server;
  private static TestTopics topics;

  @BeforeAll
  static void startServer() {
    server =
        KafkaServer.started(
            ServerOptions.defaults()
                .withSetting(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .withSetting("allow.everyone.if.no.acl.found", "true"));
    topics = new TestTopics(server);
  }

  @AfterAll
  static void closeServer() {
    server.close();
  }

  private static KafkaSender sender() {
    return KafkaSender.create(
        KafkaSenderOptions.of(server.bootstrapServers())
            .withSendTimeout(Duration.ofSeconds(2))
            .withSetting("max.block.ms", 1000));
  }

  private static List<Message> batch(String topic) {
    return IntStream.range(0, 20).mapToObj(i -> message("T" + i, topic, "k")).toList();
  }

  @Test
  void outcomesAreUnknownWhileTheBrokerIsDeadAndTheSameSenderContinuesAfterItsRestart() {
    String topic = topics.create(1);
    try (KafkaSender sender = sender()) {
      Outcomes.sendUntilAccepted(sender, message("First", topic, "k"));
      server.kill();
      try {
        // The first call has metadata and times out in the buffer, the second gets no metadata.
        Outcomes.send(sender, batch(topic)).forEach(Outcomes::unknown);
        Outcomes.send(sender, batch(topic)).forEach(Outcomes::unknown);
      } finally {
        server.restart();
      }

      Outcomes.sendUntilAccepted(sender, batch(topic).toArray(Message[]::new));
      assertThat(new LinkedHashSet<>(topics.readTypes(topic)))
          .containsExactly(
              IntStream.range(-1, 20)
                  .mapToObj(i -> i < 0 ? "First" : "T" + i)
                  .toArray(String[]::new));
    }
  }

  @Test
  void outcomesAreUnknownWhileTheBrokerIsFrozenAndLateArrivalsAreDuplicatesInOrder() {
    String topic = topics.create(1);
    try (KafkaSender sender = sender()) {
      Outcomes.sendUntilAccepted(sender, message("First", topic, "k"));
      server.freeze();
      try {
        Outcomes.send(sender, batch(topic)).forEach(Outcomes::unknown);
      } finally {
        server.unfreeze();
      }

      Outcomes.sendUntilAccepted(sender, batch(topic).toArray(Message[]::new));
      assertThat(new LinkedHashSet<>(topics.readTypes(topic)))
          .containsExactly(
              IntStream.range(-1, 20)
                  .mapToObj(i -> i < 0 ? "First" : "T" + i)
                  .toArray(String[]::new));
    }
  }

  @Test
  void aTopicWithoutWritePermissionIsRejectedForGood() throws Exception {
    String topic = topics.create(1);
    try (Admin admin = Admin.create(topics.clientSettings())) {
      admin
          .createAcls(
              List.of(
                  new AclBinding(
                      new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                      new AccessControlEntry(
                          "User:ANONYMOUS", "*", AclOperation.WRITE, AclPermissionType.DENY))))
          .all()
          .get();
    }
    try (KafkaSender sender = sender()) {
      assertThat(Outcomes.rejectedForGood(Outcomes.sendOne(sender, message("A", topic, "k"))))
          .contains("let this client write to the topic, then replay");
    }
  }

  @Test
  void closeCompletesMessagesInFlightAsUnknown() {
    String topic = topics.create(1);
    KafkaSender sender = sender();
    Outcomes.sendUntilAccepted(sender, message("First", topic, "k"));
    server.freeze();
    try {
      List<CompletionStage<SendOutcome>> stages = sender.send(batch(topic));

      sender.close();

      assertThat(stages).allSatisfy(stage -> assertThat(stage.toCompletableFuture()).isDone());
      Outcomes.await(sender, stages).forEach(Outcomes::unknown);
    } finally {
      server.unfreeze();
    }
  }

  @Test
  void anUnreachableBrokerIsUnknownAndNotAMissingTopic() {
    KafkaSenderOptions unreachable =
        KafkaSenderOptions.of("127.0.0.1:1").withSendTimeout(Duration.ofMillis(300));
    try (KafkaSender sender = KafkaSender.create(unreachable)) {
      List<SendOutcome> outcomes =
          Outcomes.send(sender, List.of(message("A", "orders", "a"), message("B", "orders", "b")));

      assertThat(Outcomes.unknown(outcomes.get(0)))
          .contains("not present in metadata after 300 ms");
      assertThat(Outcomes.unknown(outcomes.get(1))).contains("max.block.ms");
    }
  }

  @Test
  void anUnresolvableHostIsUnknown() {
    KafkaSenderOptions nowhere = KafkaSenderOptions.of("broker.invalid:9092");
    try (KafkaSender sender = KafkaSender.create(nowhere)) {
      assertThat(Outcomes.unknown(Outcomes.sendOne(sender, message("A", "orders", "a"))))
          .startsWith("could not create a producer: ");
    }
  }
}
