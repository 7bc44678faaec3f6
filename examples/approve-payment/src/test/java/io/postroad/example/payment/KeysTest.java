package io.postroad.example.payment;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxCleanup;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxPublisherProperties;
import io.postroad.spring.boot.internal.settings.RelayProperties;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronExpression;

/** One test for each key of the specification: its default, and its effect on Postroad. */
class KeysTest {

  @Test
  void fixedDelayIsInMillisecondsAndFiveSecondsUnlessGiven() throws IOException {
    assertThat(publisher(with(Map.of())).fixedDelay()).isEqualTo(5000);
    assertThat(relay(with(Map.of())).sweepEvery()).isEqualTo(Duration.ofSeconds(5));
    RelayProperties relay = relay(with(Map.of("outbox.publisher.fixed-delay", "1000")));
    assertThat(relay.sweepEvery()).isEqualTo(Duration.ofSeconds(1));
    assertThat(relay.backoff().first()).isEqualTo(Duration.ofSeconds(1));
    assertThat(relay.backoff().max()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void batchSizeIsAHundredUnlessGiven() throws IOException {
    assertThat(relay(with(Map.of())).batch()).isEqualTo(100);
    RelayProperties relay = relay(with(Map.of("outbox.publisher.batch-size", "500")));
    assertThat(relay.batch()).isEqualTo(500);
    assertThat(relay.maxBatch()).isEqualTo(500);
  }

  @Test
  void maxRetriesIsThreeUnlessGiven() throws IOException {
    assertThat(relay(with(Map.of())).maxAttempts()).isEqualTo(3);
    assertThat(relay(with(Map.of("outbox.publisher.max-retries", "7"))).maxAttempts()).isEqualTo(7);
    assertThat(publisher(with(Map.of("outbox.publisher.max-retries", "7"))).maxRetries())
        .isEqualTo(7);
  }

  @Test
  void theTopicOfApprovedPaymentsCanBeSet() throws IOException {
    assertThat(with(Map.of()).getRequiredProperty("kafka.topics.payment-approved"))
        .isEqualTo("payment.approved");
  }

  @Test
  void scheduledTasksHaveTwoThreads() throws IOException {
    assertThat(with(Map.of()).getRequiredProperty("spring.task.scheduling.pool.size"))
        .isEqualTo("2");
  }

  @Test
  void theCleanupIsAtTwoInTheMorning() throws Exception {
    Scheduled scheduled =
        Objects.requireNonNull(
            OutboxCleanup.class.getMethod("cleanupOldEvents").getAnnotation(Scheduled.class));
    String cron = with(Map.of()).resolveRequiredPlaceholders(scheduled.cron());

    assertThat(cron).isEqualTo("0 0 2 * * *");
    assertThat(CronExpression.parse(cron).next(LocalDateTime.of(2026, 1, 1, 3, 0)))
        .isEqualTo(LocalDateTime.of(2026, 1, 2, 2, 0));
  }

  @Test
  void theRelayLeavesPublishedEventsToTheCleanup() throws IOException {
    assertThat(relay(with(Map.of())).retention()).isGreaterThan(Duration.ofDays(3650));
    assertThat(with(Map.of()).getRequiredProperty("outbox.cleanup.retention")).isEqualTo("7d");
  }

  private static StandardEnvironment with(Map<String, Object> given) throws IOException {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("given", given));
    new YamlPropertySourceLoader()
        .load("application", new ClassPathResource("application.yml"))
        .forEach(environment.getPropertySources()::addLast);
    ConfigurationPropertySources.attach(environment);
    return environment;
  }

  private static RelayProperties relay(StandardEnvironment environment) {
    return Binder.get(environment).bindOrCreate("postroad.relay", RelayProperties.class);
  }

  private static OutboxPublisherProperties publisher(StandardEnvironment environment) {
    return Binder.get(environment)
        .bindOrCreate("outbox.publisher", OutboxPublisherProperties.class);
  }
}
