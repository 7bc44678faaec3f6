package io.postroad.jms;

import static io.postroad.jms.TestQueues.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxSignal;
import io.postroad.message.Message;
import io.postroad.message.Payload;
import io.postroad.servers.ArtemisServer;
import io.postroad.store.DeadLetter;
import io.postroad.store.Decision;
import io.postroad.test.InMemoryTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class JmsReceiverTest {
  private static final TestQueues QUEUES = new TestQueues(ArtemisServer.shared());

  private final String queue = QUEUES.create();
  private final JmsSender sender = JmsSender.create(QUEUES.connections());

  @AfterEach
  void close() {
    sender.close();
  }

  private ReceiverScene scene() {
    return new ReceiverScene(QUEUES, queue, JmsReceiverOptions.defaults());
  }

  private void send(Message... messages) {
    Outcomes.send(sender, List.of(messages)).forEach(Outcomes::accepted);
  }

  @Test
  void aMessageOfAPostroadSenderIsRestoredCompletely() {
    Message text =
        Message.command("BookLimits")
            .to(queue)
            .aggregate("Payment", "zahlung-ü")
            .schemaVersion(3)
            .tenant("bank-1")
            .header("app.order_id", "7")
            .header("JMSlike", "x")
            .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
            .json("{\"ü\":1}")
            .build();
    Message bytes =
        Message.event("Raw")
            .to(queue)
            .payload(Payload.bytes(new byte[] {0, (byte) 0xff, 1}, "application/x-raw"))
            .build();
    try (ReceiverScene scene = scene()) {
      send(text, bytes);

      scene.awaitHandled(2);
      assertThat(scene.handled).containsExactlyInAnyOrder(text, bytes);
    }
    assertThat(QUEUES.browse(queue)).as("acknowledged").isEmpty();
  }

  @Test
  void aDuplicateIsAcknowledgedAndHandledOnce() {
    Message message = message("Once", queue, "k");
    try (ReceiverScene scene = scene()) {
      send(message);
      send(message);
      send(message("Last", queue, "k"));

      assertThat(scene.awaitHandled(2)).containsExactly("Once", "Last");
      scene.awaitSignals(InboxSignal.Repeated.class, 1);
    }
    assertThat(QUEUES.browse(queue)).isEmpty();
  }

  @Test
  void tenConsumersKeepTheOrderOfEachKey() {
    List<Message> messages =
        IntStream.range(0, 600).mapToObj(i -> message("T" + i, queue, "key-" + i % 20)).toList();
    try (ReceiverScene scene = scene()) {
      send(messages.toArray(Message[]::new));

      scene.awaitHandled(600);
      assertThat(scene.handled).hasSize(600);
      for (int key = 0; key < 20; key++) {
        String ofKey = "key-" + key;
        assertThat(
                scene.handled.stream()
                    .filter(message -> message.key().equals(Optional.of(ofKey)))
                    .map(message -> Integer.parseInt(message.type().substring(1))))
            .hasSize(30)
            .isSorted();
      }
    }
  }

  @Test
  void aPoisonMessageBlocksOnlyItsKeyAndAReplayHandlesIt() {
    try (ReceiverScene scene = scene()) {
      scene.failing.add("Poison");
      send(
          message("Before", queue, "a"),
          message("Poison", queue, "a"),
          message("Behind", queue, "a"),
          message("Other", queue, "b"));

      scene.awaitHandled(2);
      scene.awaitSignals(InboxSignal.MovedToRetry.class, 2);
      assertThat(scene.handled)
          .extracting(Message::type)
          .containsExactlyInAnyOrder("Before", "Other");
      scene.retryUntilDead();

      DeadLetter dead = scene.deadLetters().get(0);
      assertThat(scene.deadLetters()).hasSize(1);
      assertThat(dead.message().type()).isEqualTo("Poison");
      assertThat(dead.error()).contains("cannot handle Poison");
      assertThat(dead.message().headers()).containsEntry("postroad-retry-from", queue);

      scene.failing.clear();
      scene.store.deadLetters().replay(List.of(dead.id()), new Decision("test", "mended"));
      scene.retryUntilDead();
      assertThat(scene.handled)
          .extracting(Message::type)
          .filteredOn(type -> !type.equals("Other"))
          .containsExactly("Before", "Poison", "Behind");
    }
  }

  @Test
  void noMessageIsAcknowledgedOrRedeliveredWhileTheDatabaseIsDown() {
    try (ReceiverScene scene = scene()) {
      scene.transactions.broken = true;
      send(message("Waits", queue, "k"));
      scene.awaitSignals(InboxSignal.StoreFailed.class, 2);
      assertThat(scene.handled).isEmpty();

      scene.transactions.broken = false;

      scene.awaitHandled(1);
      assertThat(scene.handled.get(0).headers())
          .doesNotContainKey(JmsReceiver.DELIVERY_COUNT_HEADER);
    }
    assertThat(QUEUES.browse(queue)).isEmpty();
  }

  @Test
  void aMessageNotAcknowledgedAtAStopIsRedeliveredWithItsDeliveryCount() {
    try (ReceiverScene scene = scene()) {
      scene.transactions.broken = true;
      send(message("Waits", queue, "k"));
      scene.awaitSignals(InboxSignal.StoreFailed.class, 1);
      scene.receiver.stop();
      scene.receiver.stop();
      assertThat(scene.receiver.isRunning()).isFalse();

      scene.transactions.broken = false;
      scene.receiver.start();
      scene.receiver.start();

      scene.awaitHandled(1);
      assertThat(scene.handled.get(0).headers())
          .containsEntry(JmsReceiver.DELIVERY_COUNT_HEADER, "2");
    }
  }

  @Test
  void theMessageIdFunctionDecidesTheIdForDeduplication() {
    JmsReceiverOptions options =
        JmsReceiverOptions.defaults()
            .withMessageId(message -> Optional.ofNullable(message.getStringProperty("order")));
    try (ReceiverScene scene = new ReceiverScene(QUEUES, queue, options)) {
      send(
          Message.event("A").to(queue).header("order", "42").json("{}").build(),
          Message.event("B").to(queue).header("order", "43").json("{}").build());
      scene.awaitHandled(2);
      send(Message.event("C").to(queue).header("order", "42").json("{}").build());

      List<InboxSignal.Repeated> repeated = scene.awaitSignals(InboxSignal.Repeated.class, 1);
      assertThat(repeated.get(0).message().messageId()).isEqualTo("42");
    }
  }

  @Test
  void aMissingQueueIsReceivedFromOnceItExists() {
    String late = TestQueues.freshName();
    try (ReceiverScene scene = new ReceiverScene(QUEUES, late, JmsReceiverOptions.defaults())) {
      QUEUES.server().declareQueue(late);
      send(message("A", late, "k"));

      assertThat(scene.awaitHandled(1)).containsExactly("A");
    }
  }

  @Test
  void anInboxWithoutRetriesOrHandlersIsRefused() {
    try (ReceiverScene scene = scene()) {
      List<Inbox<InMemoryTransaction>> wrong = new ArrayList<>();
      Handlers<InMemoryTransaction> none = Handlers.<InMemoryTransaction>builder().build();
      wrong.add(Inbox.builder(scene.store.inbox(), scene.inbox.handlers()).build());
      wrong.add(Inbox.builder(scene.store.inbox(), none).retries(scene.store).build());
      for (Inbox<InMemoryTransaction> inbox : wrong) {
        assertThatIllegalStateException()
            .isThrownBy(
                () ->
                    JmsReceiver.create(QUEUES.connections(), JmsReceiverOptions.defaults(), inbox));
        inbox.close();
      }
    }
  }
}
