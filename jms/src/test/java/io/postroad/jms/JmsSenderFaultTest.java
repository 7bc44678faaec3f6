package io.postroad.jms;

import static io.postroad.jms.TestQueues.message;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import io.postroad.servers.ArtemisServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starts its own broker, because the test kills and freezes it. */
@Timeout(120)
class JmsSenderFaultTest {
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

  private static JmsSender sender() {
    return JmsSender.create(
        queues.connections(),
        JmsSenderOptions.defaults()
            .withSendTimeout(Duration.ofSeconds(2))
            .withReconnect(Duration.ofMillis(20), Duration.ofMillis(200)));
  }

  private static List<Message> batch(String queue) {
    return IntStream.range(0, 20).mapToObj(i -> message("T" + i, queue, "k")).toList();
  }

  @Test
  void outcomesAreUnknownWhileTheBrokerIsDeadAndTheSameSenderContinuesAfterItsRestart() {
    String queue = queues.create();
    try (JmsSender sender = sender()) {
      Outcomes.sendUntilAccepted(sender, message("First", queue, "k"));
      server.kill();
      try {
        Outcomes.send(sender, batch(queue)).forEach(Outcomes::unknown);
        Outcomes.send(sender, batch(queue)).forEach(Outcomes::unknown);
      } finally {
        server.restart();
      }

      Outcomes.sendUntilAccepted(sender, batch(queue).toArray(Message[]::new));
      assertThat(new LinkedHashSet<>(queues.types(queue))).containsExactly(firstAndBatch());
    }
  }

  @Test
  void outcomesAreUnknownWhileTheBrokerIsFrozenAndLateArrivalsAreDuplicatesInOrder() {
    String queue = queues.create();
    try (JmsSender sender = sender()) {
      Outcomes.sendUntilAccepted(sender, message("First", queue, "k"));
      server.freeze();
      try {
        Outcomes.send(sender, batch(queue)).forEach(Outcomes::unknown);
      } finally {
        server.unfreeze();
      }

      Outcomes.sendUntilAccepted(sender, batch(queue).toArray(Message[]::new));
      assertThat(new LinkedHashSet<>(queues.types(queue))).containsExactly(firstAndBatch());
    }
  }

  /** Sends like a relay: many keys, calls in flight, unknown messages again in order. */
  @Test
  void aBrokerKilledUnderLoadLosesNoAcceptedMessageAndKeepsTheOrder() throws Exception {
    String queue = queues.create();
    int messages = 1_500;
    int keys = 10;
    CountDownLatch thirdIsSent = new CountDownLatch(messages / 3);
    CompletableFuture<Void> outage =
        CompletableFuture.runAsync(
            () -> {
              awaitUninterruptibly(thirdIsSent);
              server.kill();
              server.restart();
            });
    Set<String> accepted = new LinkedHashSet<>();
    try (JmsSender sender = sender()) {
      List<Message> unsent = new ArrayList<>();
      for (int i = 0; i < messages; i++) {
        unsent.add(message("T" + i, queue, "key-" + i % keys));
      }
      while (!unsent.isEmpty()) {
        try (SendSession session = sender.openSession()) {
          List<CompletionStage<SendOutcome>> stages = new ArrayList<>();
          for (int from = 0; from < unsent.size(); from += 50) {
            stages.addAll(session.send(unsent.subList(from, Math.min(unsent.size(), from + 50))));
          }
          List<Message> again = new ArrayList<>();
          List<SendOutcome> outcomes = Outcomes.await(sender, stages);
          for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i) instanceof SendOutcome.Accepted) {
              accepted.add(unsent.get(i).type());
              thirdIsSent.countDown();
            } else {
              Outcomes.unknown(outcomes.get(i));
              again.add(unsent.get(i));
            }
          }
          unsent = again;
        }
      }
    }
    outage.get(60, TimeUnit.SECONDS);

    List<String> arrived = List.copyOf(new LinkedHashSet<>(queues.types(queue)));
    assertThat(arrived).hasSize(messages).containsAll(accepted);
    for (int key = 0; key < keys; key++) {
      int ofKey = key;
      assertThat(arrived.stream().map(JmsSenderFaultTest::number).filter(i -> i % keys == ofKey))
          .isSorted();
    }
  }

  @Test
  void closeCompletesMessagesInFlightAsUnknown() {
    String queue = queues.create();
    JmsSender sender = sender();
    Outcomes.sendUntilAccepted(sender, message("First", queue, "k"));
    server.freeze();
    try {
      List<CompletionStage<SendOutcome>> stages = sender.send(batch(queue));

      sender.close();

      assertThat(stages).allSatisfy(stage -> assertThat(stage.toCompletableFuture()).isDone());
      Outcomes.await(sender, stages).forEach(Outcomes::unknown);
    } finally {
      server.unfreeze();
    }
  }

  @Test
  void anUnreachableBrokerIsUnknownAndLoggedOnce() {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, UTF_8));
    try (JmsSender sender =
        JmsSender.create(
            new ActiveMQConnectionFactory("tcp://127.0.0.1:1"),
            JmsSenderOptions.defaults()
                .withSendTimeout(Duration.ofMillis(500))
                .withReconnect(Duration.ofMillis(1), Duration.ofMillis(2)))) {
      Outcomes.send(sender, List.of(message("A", "orders", "a"), message("B", "orders", "b")))
          .forEach(Outcomes::unknown);
      Outcomes.unknown(Outcomes.sendOne(sender, message("C", "orders", "c")));
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(UTF_8).lines().filter(line -> line.contains(" jms: ")))
        .singleElement()
        .asString()
        .contains("WARN", "without a connection to the broker");
  }

  private static String[] firstAndBatch() {
    return IntStream.range(-1, 20).mapToObj(i -> i < 0 ? "First" : "T" + i).toArray(String[]::new);
  }

  private static int number(String type) {
    return Integer.parseInt(type.substring(1));
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
