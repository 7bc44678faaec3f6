package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.ServerOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
import org.junit.jupiter.api.Timeout;

/** Starts its own broker, because the test kills it and makes it refuse connections. */
@Timeout(180)
class KafkaReceiverFaultTest {
  private static final int KEYS = 5;
  private static final int ROUNDS = 40;

  private static KafkaServer server;

  @BeforeAll
  static void startServer() {
    server =
        KafkaServer.started(
            ServerOptions.defaults()
                .withSetting(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .withSetting("allow.everyone.if.no.acl.found", "true"));
  }

  @AfterAll
  static void closeServer() {
    server.close();
  }

  @Test
  void brokerIsKilledAndStartedAgainUnderLoadAndNothingIsLostDoubledOrOutOfOrder()
      throws Exception {
    try (ReceiverScene scene = new ReceiverScene(server, 2)) {
      KafkaReceiver receiver = scene.start();
      List<String> types = IntStream.range(0, ROUNDS).mapToObj(i -> "T" + i).toList();
      CompletableFuture<Void> sending =
          CompletableFuture.runAsync(
              () ->
                  types.forEach(
                      type ->
                          Outcomes.sendUntilAccepted(
                              scene.sender,
                              IntStream.range(0, KEYS)
                                  .mapToObj(k -> scene.message(type, "k" + k))
                                  .toArray(Message[]::new))));
      scene.awaitEffects(KEYS * 5);

      server.kill();
      server.restart();

      sending.join();
      scene.awaitEffects(KEYS * ROUNDS);
      scene.send(scene.message("Last", "k0"));
      scene.awaitEffects(KEYS * ROUNDS + 1);
      scene
          .typesByKey()
          .forEach((key, seen) -> assertThat(seen.subList(0, ROUNDS)).isEqualTo(types));
      assertThat(scene.effects).hasSize(KEYS * ROUNDS + 1);
      assertThat(receiver.isRunning()).isTrue();
    }
  }

  @Test
  void aRefusedConsumerIsReplacedUntilTheBrokerAcceptsOne() throws Exception {
    try (ReceiverScene scene = new ReceiverScene(server, 1);
        Admin admin = Admin.create(scene.topics.clientSettings())) {
      AclBinding door =
          new AclBinding(
              new ResourcePattern(ResourceType.GROUP, scene.group, PatternType.LITERAL),
              new AccessControlEntry(
                  "User:ANONYMOUS", "*", AclOperation.READ, AclPermissionType.DENY));
      admin.createAcls(List.of(door)).all().get();
      scene.send(scene.message("A", "k"));
      KafkaReceiver receiver = scene.start();
      Eventually.until("it was refused once", () -> consumersClosed(scene.group));
      assertThat(scene.effects).isEmpty();

      admin.deleteAcls(List.of(door.toFilter())).all().get();

      scene.awaitEffects(1);
      assertThat(receiver.isRunning()).isTrue();
    }
  }

  /** Waits until the loop pauses between two consumers. */
  private static boolean consumersClosed(String group) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().equals("kafka-receiver-" + group))
        .flatMap(each -> List.of(each.getValue()).stream())
        .anyMatch(frame -> frame.getClassName().endsWith("Waiter"));
  }
}
