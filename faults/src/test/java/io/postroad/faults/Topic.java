package io.postroad.faults;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads a topic as any consumer of it would. */
final class Topic {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration READ_WITHIN = Duration.ofMinutes(3);

  private Topic() {}

  /**
   * An event as it arrived.
   *
   * @param account the key
   * @param number counts the bookings of an account in the order in which they were tried
   */
  record Arrival(UUID event, String account, int number) {}

  /** Creates a topic with settings of its own. */
  static void create(
      String bootstrapServers, String topic, int partitions, Map<String, String> settings)
      throws Exception {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
      NewTopic wanted = new NewTopic(topic, partitions, (short) 1).configs(settings);
      admin.createTopics(List.of(wanted)).all().get();
    }
  }

  /** Everything that the topic has by now, in order per key. */
  static List<Arrival> readAll(String bootstrapServers, String topic) {
    try (KafkaConsumer<String, String> kafka =
        new KafkaConsumer<>(
            Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
            new StringDeserializer(),
            new StringDeserializer())) {
      List<TopicPartition> partitions =
          kafka.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      kafka.assign(partitions);
      kafka.seekToBeginning(partitions);
      return readTo(kafka.endOffsets(partitions), kafka);
    }
  }

  private static List<Arrival> readTo(
      Map<TopicPartition, Long> ends, KafkaConsumer<String, String> kafka) {
    List<Arrival> arrivals = new ArrayList<>();
    long deadline = System.nanoTime() + READ_WITHIN.toNanos();
    while (ends.entrySet().stream()
        .anyMatch(end -> kafka.position(end.getKey()) < end.getValue())) {
      if (System.nanoTime() - deadline >= 0) {
        throw new AssertionError("could not read up to " + ends + " within " + READ_WITHIN);
      }
      kafka.poll(POLL).forEach(event -> arrivals.add(arrival(event)));
    }
    return arrivals;
  }

  private static Arrival arrival(ConsumerRecord<String, String> event) {
    byte[] id = event.headers().lastHeader("event-id").value();
    return new Arrival(
        UUID.fromString(new String(id, StandardCharsets.UTF_8)),
        event.key(),
        Integer.parseInt(event.value()));
  }
}
