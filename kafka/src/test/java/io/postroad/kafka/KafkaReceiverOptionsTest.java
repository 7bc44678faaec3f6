package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaReceiverOptionsTest {
  private final KafkaReceiverOptions options = KafkaReceiverOptions.of("127.0.0.1:9092", "billing");

  private static Map<String, Object> consumerSettings(KafkaReceiverOptions options) {
    return settings(options).map();
  }

  private static ConsumerSettings settings(KafkaReceiverOptions options) {
    return ConsumerSettings.of(
        options.settings(), options.groupId(), options.maxInFlight(), options.drainFor());
  }

  @Test
  void defaultsLoseNoMessageAndAreBounded() {
    assertThat(consumerSettings(options))
        .isEqualTo(
            Map.of(
                "bootstrap.servers", "127.0.0.1:9092",
                "group.id", "billing",
                "enable.auto.commit", "false",
                "auto.offset.reset", "earliest",
                "isolation.level", "read_committed",
                "allow.auto.create.topics", "false",
                "partition.assignment.strategy",
                    "org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
                "max.poll.records", "100",
                "max.poll.interval.ms", "300000"));
    settings(options).checkByKafka();
    assertThat(options.concurrency()).isEqualTo(10);
    assertThat(options.maxInFlight()).isEqualTo(500);
    assertThat(options.commitEvery()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void freeSettingsAreAccepted() {
    KafkaReceiverOptions own =
        options
            .withSettings(Map.of("auto.offset.reset", "latest", "enable.auto.commit", false))
            .withSetting("isolation.level", "read_uncommitted")
            .withMaxInFlight(7, 1_000)
            .withTopics(Set.of("orders"));

    assertThat(consumerSettings(own))
        .containsEntry("auto.offset.reset", "latest")
        .containsEntry("isolation.level", "read_uncommitted")
        .containsEntry("max.poll.records", "1");
    assertThat(consumerSettings(options.withSetting("group.protocol", "consumer")))
        .doesNotContainKey("partition.assignment.strategy");
  }

  @ParameterizedTest
  @CsvSource({
    "enable.auto.commit, true, 'enable.auto.commit must be false, got true'",
    "group.id, other, 'group.id must not be set: the group is KafkaReceiverOptions.groupId'",
    "key.deserializer, x.Y, 'key.deserializer must not be set: Postroad reads keys'",
    "value.deserializer, x.Y, 'value.deserializer must not be set'",
    "max.poll.records, 501, 'max.poll.records must be between 0 and maxInFlight (500), got 501'",
    "max.poll.interval.ms, 15000, 'must be above drainFor plus PT5S (15000), got'",
    "max.poll.records, many, 'must be a whole number, got many'"
  })
  void unsafeSettingIsRefused(String name, String value, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withSetting(name, value))
        .withMessageContaining(reason);
  }

  @Test
  void settingThatKafkaRefusesIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(options.withSetting("isolation.level", "x")).checkByKafka())
        .withMessageContaining("Kafka refuses the settings of the receiver: ");
  }

  @Test
  void invalidNumbersAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withConcurrency(0))
        .withMessageContaining("KafkaReceiverOptions.concurrency to be 1 or more, got 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withMaxInFlight(1, 0))
        .withMessageContaining("maxInFlightBytes to be 1 or more, got 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withMaxBodyBytes((8 << 20) + 1))
        .withMessageContaining("maxBodyBytes to be 8388608 or less, got 8388609");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withDrainFor(Duration.ZERO))
        .withMessageContaining("drainFor to be a positive duration");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaReceiverOptions.of("127.0.0.1:9092", " "))
        .withMessageContaining("groupId must not be blank");
  }

  @Test
  void toStringHasTheNamesOfSettingsWithoutTheirValues() {
    assertThat(options.withSetting("sasl.jaas.config", "password=secret").toString())
        .contains("billing")
        .contains("sasl.jaas.config")
        .doesNotContain("secret");
  }
}
