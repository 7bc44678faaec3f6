package io.postroad.example.market;

import io.postroad.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads Kafka topics. */
public final class KafkaRecords {
  private static final long AT_MOST_SECONDS = 60;

  private KafkaRecords() {}

  /** Waits for a number of records with a text in their value. */
  public static List<ConsumerRecord<String, String>> await(
      String topic, String containing, int count) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                KafkaServer.shared().bootstrapServers(),
                "group.id",
                "test-" + UUID.randomUUID(),
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      List<ConsumerRecord<String, String>> found = new ArrayList<>();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(AT_MOST_SECONDS);
      while (found.size() < count && System.nanoTime() - deadline < 0) {
        consumer
            .poll(Duration.ofMillis(200))
            .forEach(
                each -> {
                  if (each.value().contains(containing)) {
                    found.add(each);
                  }
                });
      }
      return found;
    }
  }

  public static String header(ConsumerRecord<?, ?> event, String name) {
    return new String(event.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }
}
