package io.postroad.jms;

import static io.postroad.jms.TestQueues.large;
import static io.postroad.jms.TestQueues.message;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.message.Payload;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.servers.ArtemisServer;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JmsSenderTest {
  private static final TestQueues QUEUES = new TestQueues(ArtemisServer.shared());

  @SuppressWarnings("NullAway.Init")
  private JmsSender sender;

  @BeforeEach
  void create() {
    sender = JmsSender.create(QUEUES.connections());
  }

  @AfterEach
  void close() {
    sender.close();
  }

  @Test
  void everyPartOfAMessageArrives() throws Exception {
    String queue = QUEUES.create();
    String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    Message message =
        Message.command("BookLimits")
            .to(queue)
            .aggregate("Payment", "zahlung-ü")
            .schemaVersion(3)
            .tenant("bank-1")
            .header("region", "Zürich")
            .header("app.order_id", "7")
            .header("traceparent", trace)
            .deduplicationKey("not sent")
            .json("{\"ü\":1}")
            .build();

    Map<String, String> receipt = Outcomes.accepted(Outcomes.sendOne(sender, message)).receipt();

    TextMessage arrived = (TextMessage) QUEUES.browse(queue).get(0);
    assertThat(arrived.getText()).isEqualTo("{\"ü\":1}");
    assertThat(arrived.getJMSType()).isEqualTo("BookLimits");
    assertThat(arrived.getStringProperty("JMSXGroupID")).isEqualTo("zahlung-ü");
    assertThat(arrived.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
    assertThat(arrived.getJMSCorrelationID()).isNull();
    assertThat(arrived.getStringProperty("app$$order$_id")).isEqualTo("7");
    assertThat(headers(arrived))
        .isEqualTo(
            Map.of(
                "event-id", message.id().toString(),
                "event-type", "BookLimits",
                "postroad-category", "command",
                "postroad-schema-version", "3",
                "postroad-aggregate-type", "Payment",
                "postroad-aggregate-id", "zahlung-ü",
                "postroad-tenant", "bank-1",
                "region", "Zürich",
                "app.order_id", "7",
                "traceparent", trace));
    assertThat(receipt).isEqualTo(Map.of("queue", queue, "message-id", arrived.getJMSMessageID()));
  }

  @Test
  void missingAndDefaultPartsAreLeftOut() throws Exception {
    String queue = QUEUES.create();
    byte[] bytes = {0, (byte) 0xff, 1};

    Message message =
        Message.event("Raw").to(queue).payload(Payload.bytes(bytes, "application/x-raw")).build();
    Outcomes.accepted(Outcomes.sendOne(sender, message));

    BytesMessage arrived = (BytesMessage) QUEUES.browse(queue).get(0);
    byte[] body = new byte[(int) arrived.getBodyLength()];
    assertThat(arrived.readBytes(body)).isEqualTo(3);
    assertThat(body).isEqualTo(bytes);
    assertThat(arrived.propertyExists("JMSXGroupID")).isFalse();
    assertThat(headers(arrived))
        .containsOnlyKeys("event-id", "event-type", "content-type", "postroad-body")
        .containsEntry("content-type", "application/x-raw");
  }

  @Test
  void messagesOfAKeyStayInOrderWhenManyThreadsSend() throws Exception {
    String queue = QUEUES.create();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (JmsSender smallBatches =
        JmsSender.create(QUEUES.connections(), JmsSenderOptions.defaults().withBatchSize(40))) {
      List<Future<List<CompletionStage<SendOutcome>>>> calls =
          IntStream.range(0, 4)
              .mapToObj(
                  thread ->
                      threads.submit(
                          () ->
                              smallBatches.send(
                                  IntStream.range(0, 250)
                                      .mapToObj(i -> message("T" + i, queue, "key-" + thread))
                                      .toList())))
              .toList();
      for (Future<List<CompletionStage<SendOutcome>>> call : calls) {
        Outcomes.await(sender, call.get()).forEach(Outcomes::accepted);
      }
    } finally {
      threads.shutdownNow();
    }

    Map<String, List<String>> typesByKey =
        QUEUES.browse(queue).stream()
            .collect(
                groupingBy(
                    message -> property(message, "JMSXGroupID"),
                    mapping(message -> property(message, "event_type"), toList())));
    List<String> inOrder = IntStream.range(0, 250).mapToObj(i -> "T" + i).toList();
    assertThat(typesByKey)
        .isEqualTo(Map.of("key-0", inOrder, "key-1", inOrder, "key-2", inOrder, "key-3", inOrder));
  }

  @Test
  void onlyTheKeyOfAMessageThatTheBrokerRefusesIsSkipped() {
    String queue = QUEUES.createLimited(20_000);

    List<SendOutcome> outcomes =
        Outcomes.send(
            sender,
            List.of(
                message("Before", queue, "a"),
                large("Large", queue, "a", 30_000),
                message("Follower", queue, "a"),
                message("OtherKey", queue, "b"),
                message("LaterFollower", queue, "a"),
                Message.event("NoKey").to(queue).json("{}").build()));

    Outcomes.accepted(outcomes.get(0));
    assertThat(Outcomes.rejectedForGood(outcomes.get(1)))
        .contains("Large -> " + queue)
        .contains("20000 bytes at most")
        .doesNotContain("xxx");
    assertThat(Outcomes.unknown(outcomes.get(2)))
        .contains("an earlier message of its key was not accepted");
    Outcomes.accepted(outcomes.get(3));
    Outcomes.unknown(outcomes.get(4));
    Outcomes.accepted(outcomes.get(5));
    assertThat(QUEUES.types(queue)).containsExactly("Before", "OtherKey", "NoKey");
  }

  @Test
  void aMissingQueueIsRejectedForGoodAndTheOthersAreSent() {
    String known = QUEUES.create();
    String missing = TestQueues.freshName();

    List<SendOutcome> outcomes =
        Outcomes.send(
            sender,
            List.of(
                message("A", missing, "a"),
                message("B", known, "a"),
                message("C", missing, "c"),
                message("D", known, "d")));

    assertThat(Outcomes.rejectedForGood(outcomes.get(0)))
        .contains("A -> " + missing)
        .contains("create the queue, then replay");
    assertThat(Outcomes.rejectedForGood(outcomes.get(2))).contains("C -> " + missing);
    Outcomes.accepted(outcomes.get(1));
    Outcomes.accepted(outcomes.get(3));
    assertThat(QUEUES.types(known)).containsExactly("B", "D");

    QUEUES.server().declareQueue(missing);
    Outcomes.accepted(Outcomes.sendOne(sender, message("A", missing, "a")));
  }

  @Test
  void fiveMegabytesArriveAsTextAndAsBytes() throws Exception {
    String queue = QUEUES.create();
    byte[] bytes = new byte[5 * 1024 * 1024];
    bytes[bytes.length - 1] = 7;

    Outcomes.accepted(Outcomes.sendOne(sender, large("Text", queue, "k", bytes.length)));
    Outcomes.accepted(
        Outcomes.sendOne(
            sender, Message.event("Bytes").to(queue).payload(Payload.bytes(bytes, "x/y")).build()));

    List<jakarta.jms.Message> arrived = QUEUES.browse(queue);
    assertThat(((TextMessage) arrived.get(0)).getText()).hasSize(bytes.length);
    assertThat(((BytesMessage) arrived.get(1)).getBodyLength()).isEqualTo(bytes.length);
  }

  @Test
  void headersTooLargeForTheBrokersJournalAreRejectedAndTheSenderContinues() {
    String queue = QUEUES.create();
    Message.Builder heavy = Message.event("Heavy").to(queue).key("h").json("{}");
    IntStream.range(0, 64).forEach(i -> heavy.header("h" + i, "ü".repeat(4096)));

    List<SendOutcome> outcomes =
        Outcomes.send(sender, List.of(message("A", queue, "a"), heavy.build()));

    Outcomes.accepted(outcomes.get(0));
    assertThat(outcomes.get(1))
        .isInstanceOfSatisfying(
            SendOutcome.Rejected.class,
            rejected -> assertThat(rejected.error()).contains("bigger than the max record size"));
    Outcomes.accepted(Outcomes.sendOne(sender, message("B", queue, "a")));
    assertThat(QUEUES.types(queue)).containsExactly("A", "B");
  }

  @Test
  void closedSenderAnswersUnknownAndMayBeClosedAgain() {
    String queue = QUEUES.create();
    Outcomes.accepted(Outcomes.sendOne(sender, message("A", queue, "k")));
    var session = sender.openSession();

    sender.close();
    sender.close();

    assertThat(Outcomes.sendOne(sender, message("B", queue, "k")))
        .isEqualTo(new Unknown("sender is closed"));
    Outcomes.await(sender, session.send(List.of(message("C", queue, "k"))))
        .forEach(Outcomes::unknown);
    assertThat(QUEUES.types(queue)).containsExactly("A");
  }

  @Test
  void senderThatNeverSentCanBeClosed() {
    JmsSender unused = JmsSender.create(QUEUES.connections());

    assertThat(Outcomes.send(unused, List.of())).isEmpty();
    unused.close();
  }

  @Test
  void aDependentStageMayUseAndCloseTheSender() {
    String queue = QUEUES.create();
    List<SendOutcome> after = new ArrayList<>();

    sender
        .send(List.of(message("A", queue, "k")))
        .get(0)
        .thenAccept(
            accepted -> {
              sender.close();
              after.addAll(Outcomes.send(sender, List.of(message("B", queue, "k"))));
            })
        .toCompletableFuture()
        .join();

    assertThat(after).containsExactly(new Unknown("sender is closed"));
  }

  private static String property(jakarta.jms.Message message, String name) {
    try {
      return message.getStringProperty(name);
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, String> headers(jakarta.jms.Message message) throws JMSException {
    Map<String, String> headers = new TreeMap<>();
    Enumeration<?> names = message.getPropertyNames();
    while (names.hasMoreElements()) {
      String name = names.nextElement().toString();
      if (!name.startsWith("JMS")) {
        headers.put(HeaderNames.header(name), message.getStringProperty(name));
      }
    }
    return headers;
  }
}
