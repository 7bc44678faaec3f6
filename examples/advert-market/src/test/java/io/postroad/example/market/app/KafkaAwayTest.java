package io.postroad.example.market.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The application's settings for Kafka, without a broker. */
class KafkaAwayTest {

  /** Without the topic, entries would become FAILED. */
  @Test
  void theApplicationDoesNotStartBeforeTheTopicCanBeCreated() {
    new ApplicationContextRunner()
        .withInitializer(new ConfigDataApplicationContextInitializer())
        .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
        .withBean(NewTopic.class, () -> new NewTopic("deal.events", 3, (short) 1))
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=localhost:1",
            "spring.kafka.admin.operation-timeout=1s",
            "spring.kafka.admin.close-timeout=1s")
        .run(
            context ->
                assertThat(context)
                    .hasFailed()
                    .getFailure()
                    .hasMessageContaining("Could not configure topics"));
  }
}
