package io.postroad.demo;

import io.postroad.message.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads the topic on its own thread and records every event in the ledger. */
final class OrderConsumer implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(1);

  private final KafkaConsumer<String, String> kafka;
  private final List<TopicPartition> partitions;
  private final JsonCodec json;
  private final Ledger ledger;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final Thread thread = new Thread(this::run, "order-consumer");

  private OrderConsumer(
      KafkaConsumer<String, String> kafka,
      List<TopicPartition> partitions,
      JsonCodec json,
      Ledger ledger) {
    this.kafka = kafka;
    this.partitions = partitions;
    this.json = json;
    this.ledger = ledger;
  }

  static OrderConsumer start(String bootstrapServers, JsonCodec json, Ledger ledger) {
    KafkaConsumer<String, String> kafka =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                500),
            new StringDeserializer(),
            new StringDeserializer());
    List<TopicPartition> partitions =
        kafka.partitionsFor(OrderService.TOPIC).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    kafka.assign(partitions);
    kafka.seekToBeginning(partitions);
    OrderConsumer consumer = new OrderConsumer(kafka, partitions, json, ledger);
    consumer.thread.setDaemon(true);
    consumer.thread.start();
    return consumer;
  }

  /** Reads the rest of the topic, so that the ledger is complete, and ends. */
  @Override
  public void close() {
    stopping.set(true);
    try {
      thread.join(ENDS_WITHIN.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try (kafka) {
      while (!stopping.get()) {
        read();
      }
      Map<TopicPartition, Long> ends = kafka.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> kafka.position(end.getKey()) < end.getValue())) {
        read();
      }
    }
  }

  private void read() {
    for (ConsumerRecord<String, String> event : kafka.poll(POLL)) {
      ledger.seen(id(event), json.decode(event.value(), Order.class));
      ledger.readUpTo(event.partition(), event.offset() + 1);
    }
  }

  /** Returns the id by which receivers deduplicate. */
  private static UUID id(ConsumerRecord<String, String> event) {
    byte[] id = event.headers().lastHeader("event-id").value();
    return UUID.fromString(new String(id, StandardCharsets.UTF_8));
  }
}
