package io.postroad.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.postroad.admin.OutboxAdmin;
import io.postroad.inbox.HandlerContext;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxOptions;
import io.postroad.inbox.MessageHandler;
import io.postroad.message.Message;
import io.postroad.servers.KafkaServer;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.test.InMemoryOrderedStore;
import io.postroad.test.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A topic, an in-memory database, and receivers of one group. Effects are the committed results of
 * handlers.
 */
final class ReceiverScene implements AutoCloseable {
  final TestTopics topics;
  final String topic;
  final String group = "g-" + UUID.randomUUID();
  final InMemoryOrderedStore store = new InMemoryOrderedStore();
  final List<Effect> effects = new CopyOnWriteArrayList<>();
  final KafkaSender sender;
  private final List<AutoCloseable> open = new ArrayList<>();

  record Effect(String messageId, Message message) {
    String key() {
      return message.key().orElse("");
    }

    String type() {
      return message.type();
    }
  }

  ReceiverScene(KafkaServer server, int partitions) {
    this(server, partitions, Map.of());
  }

  ReceiverScene(KafkaServer server, int partitions, Map<String, String> topicSettings) {
    topics = new TestTopics(server);
    topic = topics.create(partitions, topicSettings);
    sender =
        KafkaSender.create(
            KafkaSenderOptions.of(server.bootstrapServers())
                .withSetting("max.request.size", 12_000_000));
    open.add(sender);
  }

  /** Options without long waits. */
  KafkaReceiverOptions options() {
    return KafkaReceiverOptions.of(topics.server().bootstrapServers(), group)
        .withCommitEvery(Duration.ofMillis(20))
        .withSetting("heartbeat.interval.ms", 500);
  }

  void effect(Message message, HandlerContext<InMemoryTransaction> context) {
    Effect effect = new Effect(context.messageId(), message);
    store.transactions().afterCommit(() -> effects.add(effect));
  }

  Inbox<InMemoryTransaction> inbox(MessageHandler<InMemoryTransaction> handler) {
    Inbox<InMemoryTransaction> inbox =
        Inbox.builder(
                store.inbox(),
                Handlers.<InMemoryTransaction>builder().onAny(topic, "effects", handler).build())
            .retries(store)
            .options(InboxOptions.defaults())
            .build();
    open.add(inbox);
    return inbox;
  }

  /** Starts a receiver with a handler that runs an action before its effect. */
  KafkaReceiver start(KafkaReceiverOptions options, MessageHandler<InMemoryTransaction> before) {
    Inbox<InMemoryTransaction> inbox =
        inbox(
            (message, context) -> {
              before.handle(message, context);
              effect(message, context);
            });
    return start(options, inbox);
  }

  KafkaReceiver start(KafkaReceiverOptions options, Inbox<InMemoryTransaction> inbox) {
    KafkaReceiver receiver = KafkaReceiver.create(options, inbox);
    open.add(0, receiver);
    receiver.start();
    return receiver;
  }

  KafkaReceiver start() {
    return start(options(), (message, context) -> {});
  }

  Message message(String type, String key) {
    return TestTopics.message(type, topic, key);
  }

  void send(Message... messages) {
    Outcomes.send(sender, List.of(messages)).forEach(Outcomes::accepted);
  }

  /** Writes a record as another sender might. */
  void produce(byte @Nullable [] key, byte[] value, Map<String, String> headers) {
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, key, value);
    headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
    produce(record);
  }

  void produce(ProducerRecord<byte[], byte[]> record) {
    Map<String, Object> settings = new HashMap<>(topics.clientSettings());
    settings.put("max.request.size", 12_000_000);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(record).get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  void awaitEffects(int count) {
    Eventually.until(
        () -> count + " effects, there are " + effects.size(), () -> effects.size() >= count);
  }

  Map<String, List<String>> typesByKey() {
    return effects.stream()
        .collect(
            Collectors.groupingBy(
                Effect::key, Collectors.mapping(Effect::type, Collectors.toList())));
  }

  List<DeadLetter> deadLetters() {
    return OutboxAdmin.over(store).deadLetters(DeadLetterFilter.all(), Optional.empty(), 100);
  }

  /** Returns the committed offset of a partition; -1 if there is none. */
  long committed(int partition) {
    TopicPartition wanted = new TopicPartition(topic, partition);
    try (Admin admin = Admin.create(topics.clientSettings())) {
      OffsetAndMetadata offset =
          admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().get(wanted);
      return offset == null ? -1 : offset.offset();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until the group has committed a number of records. */
  void awaitCommitted(int partitions, long records) {
    Eventually.until(
        records + " records are committed",
        () ->
            IntStream.range(0, partitions).mapToLong(each -> Math.max(0, committed(each))).sum()
                == records);
  }

  /** Resets the group's offsets, as if its commits had been lost in a crash. */
  void forgetOffsets(int partitions) {
    Map<TopicPartition, OffsetAndMetadata> start = new HashMap<>();
    for (int i = 0; i < partitions; i++) {
      start.put(new TopicPartition(topic, i), new OffsetAndMetadata(0));
    }
    try (Admin admin = Admin.create(topics.clientSettings())) {
      admin.alterConsumerGroupOffsets(group, start).all().get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }
}
