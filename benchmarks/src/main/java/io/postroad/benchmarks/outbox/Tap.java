package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic from its start on its own thread and passes on the events, in batches. */
final class Tap implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private final Consumer<List<Event>> receiver;
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private volatile boolean ending;

  Tap(String bootstrapServers, String topic, Consumer<List<Event>> receiver) {
    this.receiver = receiver;
    this.consumer =
        new KafkaConsumer<>(
            Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    this.partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Thread thread = new Thread(this::run, "tap-" + topic);
    thread.setDaemon(true);
    thread.start();
  }

  /** Reads the rest of the topic, and ends; called after the last write. */
  void finish() throws InterruptedException {
    ending = true;
    try {
      ended.get();
    } catch (ExecutionException failed) {
      throw new IllegalStateException("the verifying consumer failed", failed.getCause());
    }
  }

  /** Ends without reading the rest. */
  @Override
  public void close() {
    consumer.wakeup();
  }

  private void run() {
    try (consumer) {
      while (!ending) {
        poll();
      }
      for (Map.Entry<TopicPartition, Long> end : consumer.endOffsets(partitions).entrySet()) {
        while (consumer.position(end.getKey()) < end.getValue()) {
          poll();
        }
      }
      ended.complete(true);
    } catch (RuntimeException | Error failed) {
      ended.completeExceptionally(failed);
    }
  }

  private void poll() {
    List<Event> events = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
      events.add(Event.received(each.key(), each.value()));
    }
    if (!events.isEmpty()) {
      receiver.accept(events);
    }
  }
}
