package io.postroad.jms;

import static io.postroad.jms.TestQueues.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.servers.ArtemisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starts its own broker, because the test kills it. */
@Timeout(120)
class JmsReceiverFaultTest {
  private static ArtemisServer server;
  private static TestQueues queues;

  @BeforeAll
  static void startServer() {
    server = ArtemisServer.started();
    queues = new TestQueues(server);
  }

  @AfterAll
  static void closeServer() {
    server.close();
  }

  @Test
  void eachMessageIsHandledOnceInOrderAlthoughTheBrokerIsKilledAndRestarted() {
    String queue = queues.create();
    int count = 2_000;
    int keys = 10;
    List<Message> messages =
        IntStream.range(0, count)
            .mapToObj(i -> message("T" + i, queue, "key-" + i % keys))
            .toList();
    try (JmsSender sender = JmsSender.create(queues.connections())) {
      Outcomes.sendUntilAccepted(sender, messages.toArray(Message[]::new));
    }
    JmsReceiverOptions options =
        JmsReceiverOptions.defaults().withReconnect(Duration.ofMillis(20), Duration.ofMillis(200));
    try (ReceiverScene scene = new ReceiverScene(queues, queue, options)) {
      scene.awaitHandled(count / 4);
      server.kill();
      server.restart();

      scene.awaitHandled(count);
      scene.receiver.stop();
      assertThat(scene.handled).hasSize(count).doesNotHaveDuplicates();
      for (int key = 0; key < keys; key++) {
        String ofKey = "key-" + key;
        assertThat(
                scene.handled.stream()
                    .filter(message -> message.key().equals(Optional.of(ofKey)))
                    .map(message -> Integer.parseInt(message.type().substring(1))))
            .isSorted();
      }
    }
    assertThat(queues.browse(queue)).as("all acknowledged").isEmpty();
  }

  @Test
  void aReceiverStartedBeforeItsBrokerReceivesWhenTheBrokerStarts() {
    String queue = queues.create();
    server.kill();
    try (ReceiverScene scene =
        new ReceiverScene(
            queues,
            queue,
            JmsReceiverOptions.defaults()
                .withReconnect(Duration.ofMillis(20), Duration.ofMillis(200)))) {
      server.restart();
      try (JmsSender sender = JmsSender.create(queues.connections())) {
        Outcomes.sendUntilAccepted(sender, message("A", queue, "k"));
      }

      assertThat(scene.awaitHandled(1)).containsExactly("A");
    }
  }
}
