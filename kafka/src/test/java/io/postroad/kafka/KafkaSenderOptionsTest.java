package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaSenderOptionsTest {
  private final KafkaSenderOptions options = KafkaSenderOptions.of("127.0.0.1:9092");

  private static Map<String, Object> producerSettings(KafkaSenderOptions options) {
    return ProducerSettings.of(options.settings(), options.sendTimeout()).map();
  }

  @Test
  void defaultsAreDurableOrderedAndBounded() {
    assertThat(producerSettings(options))
        .isEqualTo(
            Map.of(
                "bootstrap.servers", "127.0.0.1:9092",
                "acks", "all",
                "enable.idempotence", "true",
                "max.in.flight.requests.per.connection", "1",
                "delivery.timeout.ms", "15000",
                "request.timeout.ms", "10000",
                "linger.ms", "0",
                "max.block.ms", "5000",
                "enable.metrics.push", "false",
                "batch.size", "131072"));
    try (KafkaSender sender = KafkaSender.create(options)) {
      assertThat(sender.timeout()).isEqualTo(Duration.ofSeconds(26));
      assertThat(sender.name()).isEqualTo("kafka");
    }
  }

  @Test
  void shorterSendTimeoutShortensEverythingBelowIt() {
    assertThat(producerSettings(options.withSendTimeout(Duration.ofSeconds(3))))
        .containsEntry("delivery.timeout.ms", "3000")
        .containsEntry("request.timeout.ms", "2000")
        .containsEntry("max.block.ms", "3000");
  }

  @Test
  void freeSettingsAndStricterTimeoutsAreAccepted() {
    KafkaSenderOptions own =
        options
            .withSetting("compression.type", "lz4")
            .withSettings(Map.of("acks", "-1", "enable.idempotence", true, "batch.size", 1000))
            .withSettings(Map.of("max.block.ms", "700", "delivery.timeout.ms", 9000L));

    assertThat(producerSettings(own))
        .containsEntry("compression.type", "lz4")
        .containsEntry("batch.size", "1000")
        .containsEntry("request.timeout.ms", "6000");
    try (KafkaSender sender = KafkaSender.create(own)) {
      assertThat(sender.timeout()).isEqualTo(Duration.ofMillis(9000 + 2 * 700 + 1000));
    }
  }

  @Test
  void smallerBatchesEndAtOneMessageEach() {
    ProducerSettings settings = ProducerSettings.of(options.settings(), options.sendTimeout());

    assertThat(
            Stream.iterate(settings, ProducerSettings::withSmallerBatches)
                .limit(6)
                .map(each -> each.map().get("batch.size")))
        .containsExactly("131072", "32768", "8192", "2048", "0", "0");
  }

  @ParameterizedTest
  @CsvSource({
    "acks, 1, 'acks must be all, got 1'",
    "acks, 0, 'acks must be all, got 0'",
    "enable.idempotence, false, 'enable.idempotence must be true, got false'",
    "max.in.flight.requests.per.connection, 5, 'must be 1, got 5: with more, messages behind'",
    "delivery.timeout.ms, 15001, 'must be between 0 and sendTimeout (15000), got 15001'",
    "delivery.timeout.ms, soon, 'must be a whole number, got soon'",
    "request.timeout.ms, 15001, 'request.timeout.ms + linger.ms must be between 0 and'",
    "linger.ms, 6000, 'request.timeout.ms + linger.ms must be between 0 and'",
    "max.block.ms, 5001, 'max.block.ms must be between 0 and the smaller of 5 s and'",
    "batch.size, 1.5, 'batch.size must be a whole number, got 1.5'",
    "max.block.ms, -1, 'max.block.ms must be between 0 and'",
    "partitioner.ignore.keys, true, 'a key must stay on its partition'",
    "key.serializer, x.Y, 'key.serializer must not be set: Postroad sends keys and payloads as'",
    "value.serializer, x.Y, 'value.serializer must not be set'",
    "transactional.id, tx, 'use KafkaSenderOptions.withTransactionalIdPrefix instead'",
    "transaction.timeout.ms, 14999, 'must be at least delivery.timeout.ms (15000), got 14999'"
  })
  void unsafeSettingIsRefused(String name, String value, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withSetting(name, value))
        .withMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource({"compression.type, middle-out", "retries, 0", "security.protocol, X"})
  void settingThatKafkaRefusesIsRefusedBeforeTheFirstSend(String name, String value) {
    KafkaSenderOptions bad = options.withSetting(name, value);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaSender.create(bad))
        .withMessageContaining("Kafka refuses the settings of the sender: ");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, 99, Integer.MAX_VALUE + 1L})
  void sendTimeoutOutOfBoundsIsRefused(long millis) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withSendTimeout(Duration.ofMillis(millis)))
        .withMessageContaining("KafkaSenderOptions.sendTimeout must be between 100 ms and");
  }

  @Test
  void missingBootstrapServersAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new KafkaSenderOptions(
                    Map.of(), Duration.ofSeconds(15), Optional.empty(), Optional.empty()))
        .withMessageContaining("bootstrap.servers must be set");
  }

  @Test
  void transactionalProducersHaveATimeoutAndTheirOwnId() {
    ProducerSettings settings = ProducerSettings.of(options.settings(), options.sendTimeout());

    assertThat(settings.withTransactionalId("orders-lane-0").map())
        .containsEntry("transactional.id", "orders-lane-0")
        .containsEntry("transaction.timeout.ms", "26000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withTransactionalIdPrefix(" "))
        .withMessageContaining("transactionalIdPrefix must not be blank");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "not a uri"})
  void sourceOfCloudEventsMustBeAUri(String source) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withCloudEvents(source))
        .withMessageContaining("the source of CloudEvents must");
  }

  @Test
  void toStringHasTheNamesOfSettingsWithoutTheirValues() {
    assertThat(options.withSetting("sasl.jaas.config", "password=secret"))
        .hasToString(
            "KafkaSenderOptions[settings=[bootstrap.servers, sasl.jaas.config],"
                + " sendTimeout=PT15S]");
  }
}
