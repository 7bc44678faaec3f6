package io.postroad.kafka;

import static io.postroad.kafka.TestTopics.header;
import static io.postroad.kafka.TestTopics.large;
import static io.postroad.kafka.TestTopics.message;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.message.Payload;
import io.postroad.message.TraceContext;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.servers.KafkaServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaSenderTest {
  private final TestTopics topics = new TestTopics(KafkaServer.shared());
  private final KafkaSenderOptions options =
      KafkaSenderOptions.of(KafkaServer.shared().bootstrapServers())
          .withSendTimeout(Duration.ofSeconds(10));
  private final KafkaSender sender = KafkaSender.create(options);

  @AfterEach
  void close() {
    sender.close();
  }

  @Test
  void aRecordHasKeyPayloadAndHeadersAndTheReceiptHasItsPosition() {
    String topic = topics.create(3);
    String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    Message message =
        Message.command("BookLimits")
            .to(topic)
            .aggregate("Payment", "zahlung-ü")
            .header("region", "Zürich")
            .trace(TraceContext.of(trace))
            .tenant("bank-1")
            .schemaVersion(3)
            .deduplicationKey("not sent")
            .json("{\"ü\":1}")
            .build();

    Map<String, String> receipt = Outcomes.accepted(Outcomes.sendOne(sender, message)).receipt();

    ConsumerRecord<byte[], byte[]> record = topics.read(topic).get(0);
    assertThat(new String(record.key(), UTF_8)).isEqualTo("zahlung-ü");
    assertThat(new String(record.value(), UTF_8)).isEqualTo("{\"ü\":1}");
    assertThat(headers(record))
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
                "traceparent", trace));
    assertThat(receipt)
        .isEqualTo(
            Map.of(
                "topic", topic,
                "partition", String.valueOf(record.partition()),
                "offset", String.valueOf(record.offset()),
                "timestamp", Instant.ofEpochMilli(record.timestamp()).toString()));
  }

  @Test
  void missingAndDefaultPartsAreLeftOut() {
    String topic = topics.create(1);
    byte[] bytes = {0, (byte) 0xff, 1};

    Message message =
        Message.event("Raw").to(topic).payload(Payload.bytes(bytes, "application/x-raw")).build();
    Outcomes.accepted(Outcomes.sendOne(sender, message));

    ConsumerRecord<byte[], byte[]> record = topics.read(topic).get(0);
    assertThat(record.key()).isNull();
    assertThat(record.value()).isEqualTo(bytes);
    assertThat(headers(record))
        .containsOnlyKeys("event-id", "event-type", "content-type", "postroad-body");
    assertThat(headers(record)).containsEntry("content-type", "application/x-raw");
  }

  @Test
  void cloudEventsHeadersAreAddedOnRequest() {
    String topic = topics.create(1);
    Message message =
        Message.event("OrderPlaced").to(topic).aggregate("Order", "42").json("{}").build();
    try (KafkaSender events = KafkaSender.create(options.withCloudEvents("/payments"))) {
      Outcomes.accepted(Outcomes.sendOne(events, message));
    }

    long millis = message.id().getMostSignificantBits() >>> 16;
    assertThat(headers(topics.read(topic).get(0)))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("event-id", message.id().toString()),
                Map.entry("event-type", "OrderPlaced"),
                Map.entry("postroad-aggregate-type", "Order"),
                Map.entry("postroad-aggregate-id", "42"),
                Map.entry("content-type", "application/json"),
                Map.entry("ce_specversion", "1.0"),
                Map.entry("ce_id", message.id().toString()),
                Map.entry("ce_type", "OrderPlaced"),
                Map.entry("ce_source", "/payments"),
                Map.entry("ce_subject", "42"),
                Map.entry("ce_time", Instant.ofEpochMilli(millis).toString())));
  }

  @Test
  void cloudEventsHeadersThatAreUnknownOrAlreadySetAreLeftOut() {
    String topic = topics.create(1);
    Message message =
        Message.event("Made")
            .id(UUID.fromString("6f9619ff-8b86-4011-b42d-00c04fc964ff"))
            .to(topic)
            .header("ce_source", "/own")
            .json("{}")
            .build();
    try (KafkaSender events = KafkaSender.create(options.withCloudEvents("/payments"))) {
      Outcomes.accepted(Outcomes.sendOne(events, message));
    }

    ConsumerRecord<byte[], byte[]> record = topics.read(topic).get(0);
    assertThat(headers(record)).containsEntry("ce_source", "/own");
    assertThat(record.headers().headers("ce_source")).hasSize(1);
    assertThat(headers(record)).doesNotContainKeys("ce_time", "ce_subject");
  }

  @Test
  void messagesOfAKeyStayInOrderOnOnePartitionWhenManyThreadsSend() throws Exception {
    String topic = topics.create(3);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<List<CompletionStage<SendOutcome>>>> calls =
          IntStream.range(0, 4)
              .mapToObj(
                  thread ->
                      threads.submit(
                          () ->
                              sender.send(
                                  IntStream.range(0, 250)
                                      .mapToObj(i -> message("T" + i, topic, "key-" + thread))
                                      .toList())))
              .toList();
      for (Future<List<CompletionStage<SendOutcome>>> call : calls) {
        Outcomes.await(sender, call.get()).forEach(Outcomes::accepted);
      }
    } finally {
      threads.shutdownNow();
    }

    Map<String, List<String>> typesByKey =
        topics.read(topic).stream()
            .collect(
                groupingBy(
                    record -> new String(record.key(), UTF_8),
                    mapping(record -> header(record, "event-type"), toList())));
    List<String> inOrder = IntStream.range(0, 250).mapToObj(i -> "T" + i).toList();
    assertThat(typesByKey)
        .isEqualTo(Map.of("key-0", inOrder, "key-1", inOrder, "key-2", inOrder, "key-3", inOrder));
  }

  @Test
  void aMessageTooLargeForTheClientIsRejectedAndOnlyItsKeyIsSkipped() {
    String topic = topics.create(1);
    try (KafkaSender small = KafkaSender.create(options.withSetting("max.request.size", 2000))) {
      List<SendOutcome> outcomes =
          Outcomes.send(
              small,
              List.of(
                  message("Before", topic, "a"),
                  large("Large", topic, "a", 5000),
                  message("Follower", topic, "a"),
                  message("OtherKey", topic, "b"),
                  message("LaterFollower", topic, "a"),
                  Message.event("NoKey").to(topic).json("{}").build()));

      Outcomes.accepted(outcomes.get(0));
      assertThat(Outcomes.rejectedForGood(outcomes.get(1)))
          .contains("Large -> " + topic)
          .contains("max.request.size")
          .doesNotContain("xxx");
      assertThat(Outcomes.unknown(outcomes.get(2)))
          .contains("an earlier message of its key was not handed over");
      Outcomes.accepted(outcomes.get(3));
      Outcomes.unknown(outcomes.get(4));
      Outcomes.accepted(outcomes.get(5));
    }
    assertThat(topics.readTypes(topic)).containsExactly("Before", "OtherKey", "NoKey");
  }

  @Test
  void aMissingTopicIsRejectedForGoodAndBlocksOnce() {
    String known = topics.create(1);
    String missing = TestTopics.freshName();
    String alsoMissing = TestTopics.freshName();
    try (KafkaSender quick = KafkaSender.create(options.withSetting("max.block.ms", 2000))) {
      Outcomes.sendUntilAccepted(quick, message("Warm", known, "k"));

      List<SendOutcome> outcomes =
          Outcomes.send(
              quick,
              List.of(
                  message("A", missing, "a"),
                  message("B", missing, "b"),
                  message("C", alsoMissing, "c"),
                  message("D", known, "d")));

      assertThat(Outcomes.rejectedForGood(outcomes.get(0)))
          .contains("A -> " + missing)
          .contains("create the topic, then replay");
      assertThat(Outcomes.rejectedForGood(outcomes.get(1))).contains("B -> " + missing);
      assertThat(Outcomes.unknown(outcomes.get(2))).contains("max.block.ms");
      assertThat(Outcomes.unknown(outcomes.get(3))).contains("max.block.ms");

      List<SendOutcome> again =
          Outcomes.send(quick, List.of(message("A2", missing, "a"), message("D", known, "d")));
      Outcomes.rejectedForGood(again.get(0));
      Outcomes.accepted(again.get(1));
    }
    assertThat(new LinkedHashSet<>(topics.readTypes(known))).containsExactly("Warm", "D");
  }

  @Test
  void invalidTopicNameIsRejectedForGood() {
    assertThat(Outcomes.rejectedForGood(Outcomes.sendOne(sender, message("A", "no topic!", "k"))))
        .contains("InvalidTopicException");
  }

  @Test
  void messageWithoutKeyToACompactedTopicIsRejectedForGood() {
    String topic = topics.create(1, Map.of("cleanup.policy", "compact"));

    Message message = Message.event("NoKey").to(topic).json("{}").build();

    assertThat(Outcomes.rejectedForGood(Outcomes.sendOne(sender, message)))
        .contains("a compacted topic takes no message without a key");
    Outcomes.accepted(Outcomes.sendOne(sender, message("Keyed", topic, "k")));
  }

  @Test
  void closedSenderAnswersUnknownAndMayBeClosedAgain() {
    String topic = topics.create(1);
    Outcomes.accepted(Outcomes.sendOne(sender, message("A", topic, "k")));

    sender.close();
    sender.close();

    assertThat(Outcomes.sendOne(sender, message("B", topic, "k")))
        .isEqualTo(new Unknown("sender is closed"));
    assertThat(topics.readTypes(topic)).containsExactly("A");
  }

  @Test
  void senderThatNeverSentCanBeClosed() {
    KafkaSender unused = KafkaSender.create(options);

    unused.close();

    assertThat(Outcomes.send(unused, List.of())).isEmpty();
  }

  @Test
  void aDependentStageMayUseAndCloseTheSender() {
    String topic = topics.create(1);
    List<SendOutcome> after = new ArrayList<>();

    sender
        .send(List.of(message("A", topic, "k")))
        .get(0)
        .thenAccept(
            accepted -> {
              sender.close();
              after.addAll(Outcomes.send(sender, List.of(message("B", topic, "k"))));
            })
        .toCompletableFuture()
        .join();

    assertThat(after).containsExactly(new Unknown("sender is closed"));
  }

  @Test
  void anInterruptedThreadReturnsAtOnceAndStaysInterrupted() {
    String missing = TestTopics.freshName();
    try {
      Thread.currentThread().interrupt();
      List<CompletionStage<SendOutcome>> stages =
          sender.send(List.of(message("A", missing, "a"), message("B", missing, "b")));
      assertThat(Thread.interrupted()).isTrue();
      Outcomes.await(sender, stages).forEach(Outcomes::unknown);
    } finally {
      Thread.interrupted();
    }
  }

  private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new TreeMap<>();
    record.headers().forEach(h -> headers.put(h.key(), new String(h.value(), UTF_8)));
    return headers;
  }
}
