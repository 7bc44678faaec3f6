package io.postroad.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.postroad.message.Message;
import io.postroad.servers.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Creates topics under new names, and reads their records. */
record TestTopics(KafkaServer server) {

  static String freshName() {
    return "t-" + UUID.randomUUID();
  }

  String create(int partitions) {
    return create(partitions, Map.of());
  }

  String create(int partitions, Map<String, String> settings) {
    String name = freshName();
    if (settings.isEmpty()) {
      server.createTopic(name, partitions);
      return name;
    }
    try (Admin admin = Admin.create(clientSettings())) {
      admin
          .createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(settings)))
          .all()
          .get();
      return name;
    } catch (Exception e) {
      throw new IllegalStateException("could not create topic " + name, e);
    }
  }

  /** Returns all committed records of the topic, partition by partition. */
  List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    return read(topic, "read_committed");
  }

  /** Returns all records of the topic, also of open or aborted transactions. */
  List<ConsumerRecord<byte[], byte[]>> readUncommitted(String topic) {
    return read(topic, "read_uncommitted");
  }

  private List<ConsumerRecord<byte[], byte[]>> read(String topic, String isolation) {
    Map<String, Object> settings = new HashMap<>(clientSettings());
    settings.put("isolation.level", isolation);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      for (var partition : consumer.partitionsFor(topic)) {
        TopicPartition from = new TopicPartition(topic, partition.partition());
        consumer.assign(List.of(from));
        consumer.seekToBeginning(List.of(from));
        long end = consumer.endOffsets(List.of(from)).getOrDefault(from, 0L);
        while (consumer.position(from) < end) {
          consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
        }
      }
    }
    return records;
  }

  /** Returns the types of the messages in the topic, in order. */
  List<String> readTypes(String topic) {
    return types(read(topic));
  }

  static List<String> types(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().map(record -> header(record, "event-type")).toList();
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  /** Returns a small message with a type and a key. */
  static Message message(String type, String topic, String key) {
    return Message.event(type).to(topic).key(key).json("{}").build();
  }

  /** Returns a message with a payload of this size in bytes. */
  static Message large(String type, String topic, String key, int bytes) {
    return Message.event(type).to(topic).key(key).json("x".repeat(bytes)).build();
  }

  Map<String, Object> clientSettings() {
    return Map.of("bootstrap.servers", server.bootstrapServers());
  }
}
