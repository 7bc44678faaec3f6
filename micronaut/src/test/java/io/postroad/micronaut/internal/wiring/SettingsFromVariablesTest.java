package io.postroad.micronaut.internal.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.postroad.jms.MqSettings;
import io.postroad.kafka.KafkaReceiverOptions;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.micronaut.Variables;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Secrets come from environment variables, others from a file, and both arrive. */
class SettingsFromVariablesTest {

  private static ApplicationContext app(Map<String, Object> variables, Map<String, Object> file) {
    return ApplicationContext.builder()
        .propertySources(new Variables(variables))
        .properties(file)
        .start();
  }

  @Test
  void thoseOfIbmMq() {
    try (ApplicationContext context =
        app(
            Map.of(
                "POSTROAD_MQ_USER", "app",
                "POSTROAD_MQ_PASSWORD", "hidden",
                "POSTROAD_MQ_TLS_CIPHER_SUITE", "TLS_AES_256_GCM_SHA384"),
            Map.of(
                "postroad.mq.host",
                "ibmmq",
                "postroad.mq.port",
                1515,
                "postroad.enabled",
                false))) {
      MqSettings settings = MqFactory.settings(context.getEnvironment());

      assertThat(settings.host()).isEqualTo("ibmmq");
      assertThat(settings.port()).isEqualTo(1515);
      assertThat(settings.login()).contains(new MqSettings.Login("app", "hidden"));
      assertThat(settings.tls()).isPresent();
    }
  }

  @Test
  void anUnknownSettingOfIbmMqIsRefused() {
    assertThatThrownBy(
            () ->
                app(Map.of(), Map.of("postroad.mq.host", "ibmmq", "postroad.mq.chanel", "TYPO"))
                    .close())
        .hasMessageContaining("mq.chanel is not a setting for IBM MQ");
  }

  @Test
  void thoseOfKafka() {
    try (ApplicationContext context =
        app(
            Map.of(
                "KAFKA_BOOTSTRAP_SERVERS", "broker:9093",
                "KAFKA_SASL_JAAS_CONFIG", "secret",
                "KAFKA_ACKS", "all",
                "POSTROAD_KAFKA_SETTINGS_LINGER_MS", "7",
                "POSTROAD_KAFKA_RECEIVER_SETTINGS_FETCH_MIN_BYTES", "9"),
            Map.of(
                "kafka.security.protocol", "SASL_SSL",
                "kafka.ssl.something.of-ours", "kept",
                "postroad.kafka.settings.compression.type", "lz4",
                "postroad.kafka.receiver.group-id", "orders"))) {
      assertThat(context.getBean(KafkaSenderOptions.class).settings())
          .containsEntry("bootstrap.servers", "broker:9093")
          .containsEntry("security.protocol", "SASL_SSL")
          .containsEntry("sasl.jaas.config", "secret")
          .containsEntry("ssl.something.of-ours", "kept")
          .containsEntry("compression.type", "lz4")
          .containsEntry("linger.ms", "7")
          .doesNotContainKey("acks");
      assertThat(context.getBean(KafkaReceiverOptions.class).settings())
          .containsEntry("security.protocol", "SASL_SSL")
          .containsEntry("sasl.jaas.config", "secret")
          .containsEntry("fetch.min.bytes", "9")
          .doesNotContainKey("linger.ms");
    }
  }
}
