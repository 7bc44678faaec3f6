package io.postroad.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.message.Message;
import io.postroad.message.TraceContext;
import io.postroad.servers.KafkaServer;
import io.postroad.test.InMemoryTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class KafkaReceiverTest {
  private static final int PARTITIONS = 2;

  private final ReceiverScene scene = new ReceiverScene(KafkaServer.shared(), PARTITIONS);

  @AfterEach
  void close() throws Exception {
    scene.close();
  }

  @Test
  void aMessageOfAPostroadSenderIsRestoredCompletely() {
    Message message =
        Message.command("BookLimits")
            .to(scene.topic)
            .aggregate("Payment", "zahlung-ü")
            .header("region", "Zürich")
            .trace(TraceContext.of("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
            .tenant("bank-1")
            .schemaVersion(3)
            .json("{\"ü\":1}")
            .build();
    scene.start();

    scene.send(message);

    scene.awaitEffects(1);
    assertThat(scene.effects.get(0).message()).isEqualTo(message);
    assertThat(scene.effects.get(0).messageId()).isEqualTo(message.id().toString());
  }

  @Test
  void recordsOfOtherSendersAreIdentifiedByTheirPosition() {
    byte[] key = {(byte) 0xff, 0};
    scene.produce(new ProducerRecord<>(scene.topic, 0, 7_000L, key, "{}".getBytes(UTF_8)));
    scene.produce(new ProducerRecord<byte[], byte[]>(scene.topic, 0, 8_000L, null, null));
    scene.start();

    scene.awaitEffects(2);
    ReceiverScene.Effect odd = effect(scene.topic + "-0@0/7000");
    assertThat(odd.type()).isEqualTo("unknown");
    assertThat(odd.key()).isEqualTo("base64:/wA=");
    assertThat(odd.message().headers()).isEmpty();
    ReceiverScene.Effect tombstone = effect(scene.topic + "-0@1/8000");
    assertThat(tombstone.message().payload().bytes()).isEmpty();
    assertThat(tombstone.message().headers()).containsEntry(KafkaReceiver.TOMBSTONE, "true");
    assertThat(tombstone.message().key()).isEmpty();
  }

  @Test
  void cloudEventsOfOtherSendersAreRead() {
    Map<String, String> event =
        Map.of(
            "ce_specversion", "1.0",
            "ce_id", "7",
            "ce_source", "/shop",
            "ce_type", "OrderPlaced",
            "content-type", "application/xml");
    scene.produce(null, "<a/>".getBytes(UTF_8), event);
    scene.produce(null, "<a/>".getBytes(UTF_8), event);
    scene.produce(
        null,
        "<a/>".getBytes(UTF_8),
        Map.of("ce_id", "7", "ce_source", "/other", "ce_type", "OrderPlaced"));
    scene.start();

    scene.awaitCommitted(PARTITIONS, 3);
    assertThat(scene.effects)
        .extracting(ReceiverScene.Effect::messageId)
        .containsExactlyInAnyOrder("/shop/7", "/other/7");
    assertThat(effect("/shop/7").type()).isEqualTo("OrderPlaced");
    assertThat(effect("/shop/7").message().payload().contentType()).isEqualTo("application/xml");
  }

  @Test
  void theMessageIdFunctionDecidesTheIdForDeduplication() {
    scene.produce("a".getBytes(UTF_8), "{}".getBytes(UTF_8), Map.of("order", "42"));
    scene.produce("b".getBytes(UTF_8), "{}".getBytes(UTF_8), Map.of("order", "42"));
    scene.produce("c".getBytes(UTF_8), "{}".getBytes(UTF_8), Map.of("event-id", "own"));
    scene.start(
        scene
            .options()
            .withMessageId(
                record ->
                    Optional.ofNullable(record.headers().lastHeader("order"))
                        .map(header -> "order-" + new String(header.value(), UTF_8))),
        (message, context) -> {});

    scene.awaitCommitted(PARTITIONS, 3);
    assertThat(scene.effects)
        .extracting(ReceiverScene.Effect::messageId)
        .containsExactlyInAnyOrder("order-42", "own");
  }

  @Test
  void aMessageThatIsDeliveredTwiceTakesEffectOnce() {
    Message message = scene.message("A", "k");
    scene.start();

    scene.send(message);
    scene.send(message, scene.message("B", "k"));

    scene.awaitEffects(2);
    assertThat(scene.typesByKey()).isEqualTo(Map.of("k", List.of("A", "B")));
  }

  /** An empty key is a key like others; only a record without a key has none. */
  @Test
  void recordsWithAnEmptyKeyAreHandledInOrder() {
    AtomicBoolean failed = new AtomicBoolean();
    Inbox<InMemoryTransaction> inbox =
        scene.inbox(
            (message, context) -> {
              if (message.type().equals("First") && !failed.getAndSet(true)) {
                throw new IllegalStateException("not now");
              }
              scene.effect(message, context);
            });
    for (String type : List.of("First", "Second", "Third")) {
      scene.produce(new byte[0], "{}".getBytes(UTF_8), Map.of("event-type", type));
    }

    scene.start(scene.options(), inbox);
    scene.awaitCommitted(PARTITIONS, 3);
    inbox.start();

    scene.awaitEffects(3);
    assertThat(scene.effects)
        .extracting(ReceiverScene.Effect::type)
        .containsExactly("First", "Second", "Third");
  }

  @Test
  void keysAreHandledConcurrentlyAndEachInOrder() {
    int keys = 20;
    List<String> types = IntStream.range(0, 30).mapToObj(i -> "T" + i).toList();
    List<Message> messages = new ArrayList<>();
    types.forEach(
        type -> IntStream.range(0, keys).forEach(k -> messages.add(scene.message(type, "k" + k))));
    scene.send(messages.toArray(Message[]::new));

    scene.start();

    scene.awaitEffects(messages.size());
    assertThat(scene.typesByKey())
        .hasSize(keys)
        .allSatisfy((k, t) -> assertThat(t).isEqualTo(types));
    assertThat(scene.effects).hasSize(messages.size());
  }

  @Test
  void aSlowHandlerDelaysNeitherOtherKeysNorMessagesWithoutKeyNorLaterOnes() {
    CountDownLatch others = new CountDownLatch(3);
    scene.start(
        scene.options(),
        (message, context) -> {
          if (message.type().equals("Slow")) {
            others.await();
          } else {
            others.countDown();
          }
        });
    Message slow = Message.event("Slow").to(scene.topic).json("{}").build();

    scene.send(slow);
    scene.send(scene.message("A", "a"));
    scene.send(Message.event("B").to(scene.topic).json("{}").build());
    scene.send(scene.message("C", "c"));

    scene.awaitEffects(4);
  }

  @Test
  void offsetsAreCommittedUpToTheFirstUnfinishedRecord() {
    CountDownLatch release = new CountDownLatch(1);
    scene.start(
        scene.options(),
        (message, context) -> {
          if (message.type().equals("Slow")) {
            release.await();
          }
        });
    produceTo(0, "First", "a");
    produceTo(0, "Slow", "b");
    IntStream.range(0, 10).forEach(i -> produceTo(0, "Behind", "k" + i));
    produceTo(1, "Other", "o");
    scene.awaitEffects(12);

    Eventually.until("the other partition is committed", () -> scene.committed(1) == 1);
    assertThat(scene.committed(0)).isEqualTo(1);
    release.countDown();
    Eventually.until("all is committed", () -> scene.committed(0) == 12);
  }

  @Test
  void handledRecordsWithoutCommittedOffsetsAreRedeliveredAndTakeEffectOnce() {
    List<Message> messages =
        IntStream.range(0, 50).mapToObj(i -> scene.message("T" + i, "k" + i % 7)).toList();
    scene.send(messages.toArray(Message[]::new));
    KafkaReceiver first = scene.start();
    scene.awaitEffects(50);
    first.stop();
    scene.forgetOffsets(PARTITIONS);

    scene.start();
    scene.send(scene.message("Last", "k0"));

    scene.awaitCommitted(PARTITIONS, 51);
    assertThat(scene.effects).hasSize(51);
  }

  @Test
  void stopWaitsForRunningHandlersCommitsThemAndLeavesTheRestToTheNextReceiver() {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    KafkaReceiver first =
        scene.start(
            scene.options(),
            (message, context) -> {
              running.countDown();
              release.await();
            });
    IntStream.range(0, 5).forEach(i -> produceTo(0, "T" + i, "k"));
    await(running);

    CompletableFuture<Void> stopping = CompletableFuture.runAsync(first::stop);
    Eventually.until("it is stopping", () -> isWaiting("kafka-receiver-" + scene.group));
    assertThat(scene.effects).isEmpty();
    release.countDown();
    stopping.join();

    assertThat(first.isRunning()).isFalse();
    assertThat(scene.effects).hasSize(1);
    assertThat(scene.committed(0)).isEqualTo(1);
    scene.start();
    scene.awaitEffects(5);
    assertThat(scene.typesByKey().get("k")).containsExactly("T0", "T1", "T2", "T3", "T4");
  }

  @Test
  void recordsAboveTheMemoryLimitWaitAtTheBroker() {
    CountDownLatch release = new CountDownLatch(1);
    scene.send(
        IntStream.range(0, 200).mapToObj(i -> scene.message("T", "k" + i)).toArray(Message[]::new));
    KafkaReceiver receiver =
        scene.start(
            scene.options().withMaxInFlight(10, 1_000_000).withSetting("max.poll.records", 2),
            (message, context) -> release.await());

    release.countDown();
    scene.awaitEffects(200);
    assertThat(receiver.isRunning()).isTrue();
  }

  @Test
  void aSecondStartOrStopHasNoEffectAndAStoppedReceiverCanStartAgain() {
    KafkaReceiver receiver = scene.start();
    receiver.start();
    scene.send(scene.message("A", "k"));
    scene.awaitEffects(1);

    receiver.stop();
    receiver.stop();
    assertThat(receiver.isRunning()).isFalse();
    scene.send(scene.message("B", "k"));
    receiver.start();

    scene.awaitEffects(2);
    receiver.close();
    assertThat(receiver.isRunning()).isFalse();
  }

  @Test
  void aReceiverWithoutTopicsOrWithoutARetryStoreIsRefused() {
    Handlers<InMemoryTransaction> none = Handlers.<InMemoryTransaction>builder().build();
    try (Inbox<InMemoryTransaction> bare = Inbox.builder(scene.store.inbox(), none).build();
        Inbox<InMemoryTransaction> idle =
            Inbox.builder(scene.store.inbox(), none).retries(scene.store).build()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> KafkaReceiver.create(scene.options(), bare))
          .withMessageContaining("no retry store");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> KafkaReceiver.create(scene.options(), idle))
          .withMessageContaining("there are no topics to receive");
      KafkaReceiver.create(scene.options().withTopics(Set.of(scene.topic)), idle).close();
    }
  }

  private ReceiverScene.Effect effect(String messageId) {
    return scene.effects.stream()
        .filter(each -> each.messageId().equals(messageId))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no effect of " + messageId));
  }

  private void produceTo(int partition, String type, String key) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(scene.topic, partition, key.getBytes(UTF_8), "{}".getBytes(UTF_8));
    record.headers().add("event-type", type.getBytes(UTF_8));
    scene.produce(record);
  }

  private static boolean isWaiting(String thread) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().equals(thread))
        .anyMatch(
            each ->
                List.of(each.getValue()).stream()
                    .anyMatch(frame -> frame.getMethodName().equals("awaitIdle")));
  }

  private static void await(CountDownLatch latch) {
    Eventually.until("a handler runs", () -> latch.getCount() == 0);
  }
}
