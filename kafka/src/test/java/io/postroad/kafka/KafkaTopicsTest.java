package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.postroad.message.PostroadException;
import io.postroad.servers.KafkaServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

class KafkaTopicsTest {
  private final TestTopics topics = new TestTopics(KafkaServer.shared());
  private final Map<String, Object> settings = topics.clientSettings();

  @Test
  void verifyNamesAllTopicsThatAreMissing() {
    String there = topics.create(1);

    KafkaTopics.verify(settings, List.of(there));

    assertThatExceptionOfType(MissingTopicsException.class)
        .isThrownBy(() -> KafkaTopics.verify(settings, List.of("t-no-2", there, "t-no-1", "no!")))
        .withMessageContaining("[no!, t-no-1, t-no-2]")
        .withMessageContaining("KafkaTopics.create")
        .satisfies(e -> assertThat(e.missing()).containsExactly("no!", "t-no-1", "t-no-2"));
  }

  @Test
  void createCreatesMissingTopicsAndLeavesTheOthersUnchanged() throws Exception {
    String there = topics.create(2);
    String plain = TestTopics.freshName();
    String special = TestTopics.freshName();

    Set<String> created =
        KafkaTopics.create(
            settings,
            List.of(
                TopicSpec.of(there).withPartitions(5),
                TopicSpec.of(plain),
                TopicSpec.of(special)
                    .withPartitions(3)
                    .withReplication(1)
                    .withSettings(Map.of("retention.ms", "777000"))));

    assertThat(created).containsExactlyInAnyOrder(plain, special);
    try (Admin admin = Admin.create(settings)) {
      Map<String, TopicDescription> found =
          admin.describeTopics(List.of(there, plain, special)).allTopicNames().get();
      assertThat(found)
          .hasEntrySatisfying(there, topic -> assertThat(topic.partitions()).hasSize(2))
          .hasEntrySatisfying(plain, topic -> assertThat(topic.partitions()).hasSize(1))
          .hasEntrySatisfying(special, topic -> assertThat(topic.partitions()).hasSize(3));
      ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, special);
      assertThat(admin.describeConfigs(List.of(resource)).all().get())
          .hasEntrySatisfying(
              resource,
              config ->
                  assertThat(config.entries())
                      .filteredOn(entry -> entry.name().equals("retention.ms"))
                      .extracting(ConfigEntry::value)
                      .containsExactly("777000"));
    }
    assertThat(KafkaTopics.create(settings, List.of(TopicSpec.of(plain)))).isEmpty();
  }

  @Test
  void severalNodesMayCreateTheSameTopicsAtOnce() throws Exception {
    int nodes = 4;
    List<TopicSpec> specs =
        IntStream.range(0, 5).mapToObj(i -> TopicSpec.of(TestTopics.freshName())).toList();
    CyclicBarrier together = new CyclicBarrier(nodes);
    ExecutorService threads = Executors.newFixedThreadPool(nodes);
    try {
      List<Future<Set<String>>> calls =
          IntStream.range(0, nodes)
              .mapToObj(
                  node ->
                      threads.submit(
                          () -> {
                            together.await();
                            return KafkaTopics.create(settings, specs);
                          }))
              .toList();
      List<String> created = new ArrayList<>();
      for (Future<Set<String>> call : calls) {
        created.addAll(call.get());
      }
      assertThat(created)
          .as("each topic by one node")
          .containsExactlyInAnyOrderElementsOf(specs.stream().map(TopicSpec::name).toList());
    } finally {
      threads.shutdownNow();
    }
    KafkaTopics.verify(settings, specs.stream().map(TopicSpec::name).toList());
  }

  @Test
  void aTopicThatCannotBeCreatedIsNamed() {
    String name = TestTopics.freshName();

    assertThatExceptionOfType(PostroadException.class)
        .isThrownBy(
            () -> KafkaTopics.create(settings, List.of(TopicSpec.of(name).withReplication(9))))
        .withMessageContaining("could not create topic " + name)
        .withMessageContaining("InvalidReplicationFactorException");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TopicSpec.of("orders").withPartitions(-1))
        .withMessageContaining("partitions of topic orders must be 0");
  }

  @Test
  void anUnreachableBrokerIsReported() {
    Map<String, Object> unreachable =
        Map.of(
            "bootstrap.servers",
            "127.0.0.1:1",
            "default.api.timeout.ms",
            300,
            "request.timeout.ms",
            200);

    assertThatExceptionOfType(PostroadException.class)
        .isThrownBy(() -> KafkaTopics.verify(unreachable, List.of("orders")))
        .withMessageContaining("could not describe topic orders: TimeoutException");
  }
}
