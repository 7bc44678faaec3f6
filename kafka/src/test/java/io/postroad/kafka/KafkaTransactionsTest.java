package io.postroad.kafka;

import static io.postroad.kafka.TestTopics.large;
import static io.postroad.kafka.TestTopics.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import io.postroad.servers.KafkaServer;
import io.postroad.test.InMemoryOrderedStore;
import io.postroad.test.InMemoryTransaction;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transactional mode: the session that opens a lane fences the earlier session of the lane. */
class KafkaTransactionsTest {
  private static final RecordMapper MAPPER = new RecordMapper(Optional.empty());

  private final TestTopics topics = new TestTopics(KafkaServer.shared());
  private final String prefix = "p-" + UUID.randomUUID();
  private final KafkaSenderOptions options =
      KafkaSenderOptions.of(KafkaServer.shared().bootstrapServers())
          .withSendTimeout(Duration.ofSeconds(10))
          .withSetting("batch.size", 16384)
          .withTransactionalIdPrefix(prefix);
  private final KafkaSender sender = KafkaSender.create(options);
  private final KafkaSender otherNode = KafkaSender.create(options);

  @AfterEach
  void close() {
    sender.close();
    otherNode.close();
  }

  private List<SendOutcome> send(SendSession session, Message... messages) {
    return Outcomes.await(sender, session.send(List.of(messages)));
  }

  private void accepted(SendSession session, Message... messages) {
    send(session, messages).forEach(Outcomes::accepted);
  }

  @Test
  void aFencedSessionSendsNothingMore() {
    String topic = topics.create(1);
    SendSession old = sender.openSession("lane-0");
    accepted(old, message("A", topic, "k"));

    SendSession taken = otherNode.openSession("lane-0");
    accepted(taken, message("B", topic, "k"));

    assertThat(Outcomes.unknown(send(old, message("Late", topic, "k")).get(0)))
        .contains("transactional id " + prefix + "-lane-0 is used by another producer now");
    assertThat(Outcomes.unknown(send(old, message("Later", topic, "k")).get(0)))
        .contains("a transaction before it failed");
    accepted(taken, message("C", topic, "k"));
    assertThat(topics.readTypes(topic)).containsExactly("A", "B", "C");
  }

  @Test
  void uncommittedMessagesOfAFrozenOwnerNeverBecomeVisible() {
    String topic = topics.create(1);
    try (Producer<byte[], byte[]> frozen = frozenOwner("lane-0", message("Frozen", topic, "k"))) {
      accepted(otherNode.openSession("lane-0"), message("A", topic, "k"));

      assertThatThrownBy(frozen::commitTransaction).isInstanceOf(KafkaException.class);
    }

    assertThat(TestTopics.types(topics.readUncommitted(topic))).containsExactly("Frozen", "A");
    assertThat(topics.readTypes(topic)).containsExactly("A");
  }

  @Test
  void openingASessionFencesTheEarlierOwner() {
    String topic = topics.create(1);
    try (Producer<byte[], byte[]> frozen = frozenOwner("lane-0", message("Frozen", topic, "k"));
        SendSession opened = otherNode.openSession("lane-0")) {
      Eventually.until(
          "the old transaction is aborted",
          () -> stateOf("lane-0") == TransactionState.COMPLETE_ABORT);

      assertThatThrownBy(frozen::commitTransaction).isInstanceOf(KafkaException.class);
      assertThat(opened).isNotNull();
    }
    assertThat(topics.readTypes(topic)).isEmpty();
  }

  @Test
  void sessionsOfOtherLanesContinue() {
    String topic = topics.create(1);
    SendSession lane = sender.openSession("lane-0");
    SendSession blocked = sender.openSession("lane-0-held");
    accepted(lane, message("A", topic, "k"));
    accepted(blocked, message("B", topic, "k"));
    accepted(lane, message("C", topic, "k"));

    assertThat(topics.readTypes(topic)).containsExactly("A", "B", "C");
  }

  @Test
  void aRefusedMessageFailsItsTransactionAndTheOthersAreSentInTheNext() {
    String topic = topics.create(1, Map.of("max.message.bytes", "20000"));
    Message before = message("Before", topic, "k");
    Message behind = message("Behind", topic, "k");
    SendSession session = sender.openSession("lane-0");

    List<SendOutcome> outcomes = send(session, before, large("Large", topic, "k", 30_000), behind);

    assertThat(Outcomes.unknown(outcomes.get(0))).contains("its transaction was not committed");
    assertThat(Outcomes.rejectedForGood(outcomes.get(1))).contains("max.message.bytes");
    Outcomes.unknown(outcomes.get(2));
    assertThat(topics.readTypes(topic)).isEmpty();
    accepted(sender.openSession("lane-0"), before, behind);
    assertThat(topics.readTypes(topic)).containsExactly("Before", "Behind");
  }

  @Test
  void aMessageIsRejectedIfTheClientRefusesItOrItsTopicIsMissing() {
    String topic = topics.create(1);
    String missing = TestTopics.freshName();
    KafkaSenderOptions small =
        options.withSettings(Map.of("max.request.size", 5000, "max.block.ms", 2000));
    try (KafkaSender sender = KafkaSender.create(small)) {
      List<SendOutcome> outcomes =
          send(
              sender.openSession("lane-0"),
              message("Before", topic, "a"),
              large("Large", topic, "k", 10_000),
              message("Behind", topic, "b"));
      Outcomes.unknown(outcomes.get(0));
      assertThat(Outcomes.rejectedForGood(outcomes.get(1))).contains("max.request.size");
      Outcomes.unknown(outcomes.get(2));

      accepted(sender.openSession("lane-0"), message("Warm", topic, "k"));
      outcomes = send(sender.openSession("lane-0"), message("Lost", missing, "k"));
      assertThat(Outcomes.rejectedForGood(outcomes.get(0))).contains("create the topic");

      // The sender remembers the missing topic, so the other messages keep their transaction.
      outcomes =
          send(
              sender.openSession("lane-0"),
              message("Lost", missing, "k"),
              message("A", topic, "a"));
      Outcomes.rejectedForGood(outcomes.get(0));
      Outcomes.accepted(outcomes.get(1));
    }
    assertThat(topics.readTypes(topic)).containsExactly("Warm", "A");
  }

  @Test
  void manyCallsInARowAreInOrderAndSeveralOfThemShareATransaction() {
    String topic = topics.create(1);
    SendSession session = sender.openSession("lane-0");
    List<CompletionStage<SendOutcome>> stages = new ArrayList<>();
    List<String> types = IntStream.range(0, 500).mapToObj(i -> "T" + i).toList();

    types.forEach(type -> stages.addAll(session.send(List.of(message(type, topic, "k")))));

    List<SendOutcome> outcomes = Outcomes.await(sender, stages);
    assertThat(topics.readTypes(topic)).isEqualTo(types);
    long last = Long.parseLong(Outcomes.accepted(outcomes.get(499)).receipt().get("offset"));
    assertThat(last).as("each transaction leaves a marker in the log").isLessThan(2 * 499);
  }

  @Test
  void aRelayHasATransactionalIdForEachOfItsLanes() throws Exception {
    String topic = topics.create(1);
    InMemoryOrderedStore store = new InMemoryOrderedStore(InstantSource.system(), 2);
    Outbox<InMemoryTransaction> outbox = Outbox.over(store);
    List<Message> messages =
        IntStream.range(0, 20).mapToObj(i -> message("T" + i, topic, "k" + i)).toList();
    store.transactions().run(transaction -> outbox.appendAll(messages));

    OutboxRelay.builder(store, sender).build().drain();

    assertThat(topics.readTypes(topic)).hasSameElementsAs(types(messages));
    assertThat(stateOf("lane-0")).isEqualTo(TransactionState.COMPLETE_COMMIT);
    assertThat(stateOf("lane-1")).isEqualTo(TransactionState.COMPLETE_COMMIT);
  }

  private static List<String> types(List<Message> messages) {
    return messages.stream().map(Message::type).toList();
  }

  @Test
  void aClosedSenderAndAnUnreachableBrokerAreUnknown() {
    SendSession session = sender.openSession("lane-0");
    sender.close();
    assertThat(Outcomes.unknown(send(session, message("A", "orders", "k")).get(0)))
        .contains("the session is closed");
    assertThat(Outcomes.unknown(send(sender.openSession("l"), message("A", "t", "k")).get(0)))
        .contains("sender is closed");
    KafkaSenderOptions unreachable =
        KafkaSenderOptions.of("127.0.0.1:1")
            .withSendTimeout(Duration.ofMillis(300))
            .withTransactionalIdPrefix(prefix);
    try (KafkaSender unconnected = KafkaSender.create(unreachable)) {
      assertThat(
              Outcomes.unknown(
                  Outcomes.await(
                          unconnected,
                          unconnected
                              .openSession("lane-0")
                              .send(List.of(message("A", "orders", "k"))))
                      .get(0)))
          .contains("no transaction could be begun with transactional id " + prefix + "-lane-0");
    }
  }

  /** Returns a producer of the lane that has sent and not committed. */
  private Producer<byte[], byte[]> frozenOwner(String line, Message message) {
    Map<String, Object> settings = new HashMap<>(topics.clientSettings());
    settings.put("transactional.id", prefix + "-" + line);
    Producer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
    producer.beginTransaction();
    ProducerRecord<byte[], byte[]> record = MAPPER.record(message);
    var unused = producer.send(record);
    producer.flush();
    return producer;
  }

  private TransactionState stateOf(String line) {
    String id = prefix + "-" + line;
    try (Admin admin = Admin.create(topics.clientSettings())) {
      return admin.describeTransactions(List.of(id)).description(id).get().state();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
