package io.postroad.example.payment.run;

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

/** What has arrived in the topic, from its beginning. Used by one thread. */
final class Received implements AutoCloseable {
  private final KafkaConsumer<String, String> consumer;
  private final List<ConsumerRecord<String, String>> all = new ArrayList<>();

  Received(Servers servers) {
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                servers.bootstrapServers(),
                "group.id",
                "example-" + UUID.randomUUID(),
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer());
    consumer.subscribe(List.of(Servers.TOPIC));
  }

  /** All so far, when enough has come, or the time is over. */
  List<ConsumerRecord<String, String>> await(
      Predicate<List<ConsumerRecord<String, String>>> enough, Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!enough.test(all) && System.nanoTime() - deadline < 0) {
      consumer.poll(Duration.ofMillis(200)).forEach(all::add);
    }
    return List.copyOf(all);
  }

  static String header(ConsumerRecord<?, ?> event, String name) {
    @Nullable Header header = event.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
