package io.postroad.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.admin.OutboxAdmin;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.JsonHandler;
import io.postroad.inbox.PermanentFailure;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.Message;
import io.postroad.servers.KafkaServer;
import io.postroad.store.DeadLetter;
import io.postroad.store.Decision;
import io.postroad.test.InMemoryTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Messages that fail, or that no handler can ever handle: each has a clear outcome, and other
 * messages continue.
 */
@Timeout(120)
class KafkaReceiverFailureTest {
  private static final int LARGE = 5 * 1024 * 1024;

  private final ReceiverScene scene =
      new ReceiverScene(
          KafkaServer.shared(), 1, Map.of("max.message.bytes", String.valueOf(2 * LARGE)));

  @AfterEach
  void close() throws Exception {
    scene.close();
  }

  @Test
  void aPoisonMessageBlocksOnlyItsKeyAndAReplayHandlesIt() {
    AtomicBoolean mended = new AtomicBoolean();
    Inbox<InMemoryTransaction> inbox =
        scene.inbox(
            (message, context) -> {
              if (message.type().equals("Poison") && !mended.get()) {
                throw new PermanentFailure("cannot be eaten");
              }
              scene.effect(message, context);
            });
    scene.start(scene.options(), inbox);
    Message poison =
        Message.event("Poison").to(scene.topic).key("bad").header("a", "b").json("{}").build();
    scene.send(scene.message("Before", "bad"), poison, scene.message("Behind", "bad"));
    IntStream.range(0, 20).forEach(i -> scene.send(scene.message("T" + i, "good")));

    scene.awaitCommitted(1, 23);
    inbox.runOnce();

    assertThat(scene.typesByKey().get("good")).hasSize(20);
    assertThat(scene.typesByKey().get("bad")).containsExactly("Before");
    DeadLetter dead = only(scene.deadLetters());
    assertThat(dead.message().headers()).containsEntry("a", "b");
    assertThat(dead.error()).contains("cannot be eaten");
    mended.set(true);
    OutboxAdmin.over(scene.store).replay(dead.id(), new Decision("on-call", "mended"));
    inbox.runOnce();
    assertThat(scene.typesByKey().get("bad")).containsExactly("Before", "Poison", "Behind");
  }

  @Test
  void aBodyOf900KilobytesIsHandled() {
    scene.start();
    scene.send(TestTopics.large("Large", scene.topic, "k", 900 * 1024));
    scene.awaitEffects(1);
    assertThat(scene.effects.get(0).message().payload().bytes()).hasSize(900 * 1024);
  }

  @Test
  void aBodyAboveTheLimitBecomesADeadLetterWithItsBytes() {
    Inbox<InMemoryTransaction> inbox = scene.inbox(scene::effect);
    scene.start(scene.options(), inbox);

    scene.send(TestTopics.large("Large", scene.topic, "k", LARGE), scene.message("Next", "other"));

    scene.awaitCommitted(1, 2);
    inbox.runOnce();
    DeadLetter dead = only(scene.deadLetters());
    assertThat(dead.error()).contains("its body has 5242880 bytes, the limit is 1048576");
    assertThat(dead.message().payload().bytes()).hasSize(LARGE);
    assertThat(scene.effects).extracting(ReceiverScene.Effect::type).containsExactly("Next");
  }

  @Test
  void aBodyOf5MegabytesIsHandledWhereThatIsAllowed() {
    scene.start(
        scene.options().withMaxBodyBytes(LARGE).withMaxInFlight(10, 1024),
        (message, context) -> {});

    scene.send(TestTopics.large("Large", scene.topic, "a", LARGE), scene.message("Next", "b"));

    scene.awaitEffects(2);
  }

  @Test
  void bodiesThatAreNotJsonBecomeDeadLettersWithTheirBytesAndTheReceiverContinues() {
    Inbox<InMemoryTransaction> inbox =
        scene.inbox(
            JsonHandler.of(
                JacksonJsonCodec.create(),
                Object.class,
                (value, message, context) -> scene.effect(message, context)));
    KafkaReceiver receiver = scene.start(scene.options(), inbox);
    byte[] notUtf8 = {'{', (byte) 0xff, (byte) 0xfe, '}'};
    byte[] notJson = "{\"a\":".getBytes(UTF_8);
    byte[] deep = ("[".repeat(10_000) + "]".repeat(10_000)).getBytes(UTF_8);
    List.of(notUtf8, notJson, deep)
        .forEach(body -> scene.produce(null, body, Map.of("event-type", "Odd")));
    scene.send(scene.message("Good", "k"));

    scene.awaitCommitted(1, 4);
    inbox.runOnce();

    assertThat(scene.deadLetters())
        .extracting(dead -> dead.message().payload().bytes())
        .containsExactlyInAnyOrder(notUtf8, notJson, deep);
    assertThat(scene.deadLetters())
        .extracting(DeadLetter::error)
        .anySatisfy(error -> assertThat(error).contains("is not UTF-8 text"))
        .filteredOn(error -> error.contains("JsonCodecException"))
        .hasSize(2);
    assertThat(scene.effects).extracting(ReceiverScene.Effect::type).containsExactly("Good");
    assertThat(receiver.isRunning()).isTrue();
  }

  @Test
  void aMessageWithAThousandHeadersBecomesADeadLetter() {
    Inbox<InMemoryTransaction> inbox = scene.inbox(scene::effect);
    scene.start(scene.options(), inbox);
    Map<String, String> headers = new HashMap<>();
    IntStream.range(0, 1000).forEach(i -> headers.put("h" + i, "v" + i));

    scene.produce(null, "{}".getBytes(UTF_8), headers);
    scene.send(scene.message("Next", "k"));

    scene.awaitCommitted(1, 2);
    inbox.runOnce();
    assertThat(only(scene.deadLetters()).error()).contains("it has 1000 headers, the limit is 64");
    assertThat(scene.effects).extracting(ReceiverScene.Effect::type).containsExactly("Next");
  }

  @Test
  void aFailingMessageIdFunctionMakesTheMessageADeadLetter() {
    Inbox<InMemoryTransaction> inbox = scene.inbox(scene::effect);
    scene.start(
        scene
            .options()
            .withMessageId(
                record -> {
                  throw new IllegalStateException("no id in it");
                }),
        inbox);

    scene.send(scene.message("A", "k"));

    scene.awaitCommitted(1, 1);
    inbox.runOnce();
    assertThat(only(scene.deadLetters()).error())
        .contains("KafkaReceiverOptions.messageId failed: IllegalStateException: no id in it");
  }

  /** The records were polled together, so only a new consumer polls the later ones again. */
  @Test
  void recordsBehindAnErrorAreNotSkipped() {
    AtomicBoolean failing = new AtomicBoolean(true);
    scene.send(scene.message("A", "k"), scene.message("B", "k"), scene.message("C", "k"));

    scene.start(
        scene
            .options()
            .withMessageId(
                record -> {
                  if (record.offset() == 1 && failing.getAndSet(false)) {
                    throw new OutOfMemoryError("for a test");
                  }
                  return Optional.empty();
                }),
        scene.inbox(scene::effect));

    scene.awaitCommitted(1, 3);
    assertThat(scene.effects).extracting(ReceiverScene.Effect::type).containsExactly("A", "B", "C");
  }

  private static DeadLetter only(List<DeadLetter> dead) {
    assertThat(dead).hasSize(1);
    return dead.get(0);
  }
}
