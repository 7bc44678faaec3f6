package io.postroad.example.kit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads a Kafka topic from its beginning. Used by one thread. */
public final class Received implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConsumer<String, String> consumer;
  private final List<ConsumerRecord<String, String>> all = new ArrayList<>();

  public Received(String bootstrapServers, String topic) {
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "group.id",
                "example-" + UUID.randomUUID(),
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer());
    consumer.subscribe(List.of(topic));
  }

  /** Reads until enough records have arrived, or the time is over, and returns all records. */
  public List<ConsumerRecord<String, String>> await(
      Predicate<List<ConsumerRecord<String, String>>> enough, Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!enough.test(all) && System.nanoTime() - deadline < 0) {
      consumer.poll(POLL).forEach(all::add);
    }
    return List.copyOf(all);
  }

  /** Returns the text of a header; empty if there is none. */
  public static String header(ConsumerRecord<?, ?> event, String name) {
    @Nullable Header header = event.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
