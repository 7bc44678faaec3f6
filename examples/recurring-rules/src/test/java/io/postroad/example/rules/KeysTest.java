package io.postroad.example.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.example.rules.infrastructure.outbox.OutboxProcessor;
import io.postroad.example.rules.infrastructure.schedule.DailyExecution;
import io.postroad.spring.boot.internal.settings.PostroadKafkaProperties;
import io.postroad.spring.boot.internal.settings.RelayProperties;
import java.io.IOException;
import java.time.Duration;
import java.time.ZonedDateTime;
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

/** One test for each key: its default, and its effect. */
class KeysTest {

  @Test
  void thePollingIntervalIsAThousandMillisecondsUnlessGiven() throws IOException {
    assertThat(relay(with(Map.of())).sweepEvery()).isEqualTo(Duration.ofSeconds(1));
    assertThat(relay(with(Map.of("outbox.polling.interval", "250"))).sweepEvery())
        .isEqualTo(Duration.ofMillis(250));
  }

  @Test
  void theRetryIntervalIsAMinuteUnlessGiven() throws Exception {
    String delay = scheduled(OutboxProcessor.class, "retryFailedEntries").fixedDelayString();
    assertThat(with(Map.of()).resolveRequiredPlaceholders(delay)).isEqualTo("60000");
    assertThat(with(Map.of("outbox.retry.interval", "5000")).resolveRequiredPlaceholders(delay))
        .isEqualTo("5000");
  }

  @Test
  void aPageIsAHundredEventsUnlessGiven() throws IOException {
    assertThat(relay(with(Map.of())).batch()).isEqualTo(100);
    RelayProperties relay = relay(with(Map.of("outbox.page-size", "10")));
    assertThat(relay.batch()).isEqualTo(10);
    assertThat(relay.maxBatch()).isEqualTo(10);
  }

  @Test
  void aSendMayTakeTenSecondsUnlessGiven() throws IOException {
    assertThat(kafka(with(Map.of())).sendTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(kafka(with(Map.of("outbox.send-timeout", "7"))).sendTimeout())
        .isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void fiveAttemptsUnlessGiven() throws IOException {
    assertThat(relay(with(Map.of())).maxAttempts()).isEqualTo(5);
    assertThat(relay(with(Map.of("outbox.max-retries", "3"))).maxAttempts()).isEqualTo(3);
  }

  @Test
  void theWaitAfterAttemptNIsTwoToTheNthMinutes() throws IOException {
    RelayProperties.BackoffProperties backoff = relay(with(Map.of())).backoff();
    assertThat(backoff.first()).isEqualTo(Duration.ofMinutes(2));
    assertThat(backoff.factor()).isEqualTo(2);
    assertThat(backoff.max()).isGreaterThanOrEqualTo(Duration.ofMinutes(16));
  }

  @Test
  void rulesAreExecutedAtSixUtc() throws Exception {
    Scheduled scheduled = scheduled(DailyExecution.class, "executeRules");
    String cron = with(Map.of()).resolveRequiredPlaceholders(scheduled.cron());
    assertThat(scheduled.zone()).isEqualTo("UTC");
    assertThat(CronExpression.parse(cron).next(ZonedDateTime.parse("2028-01-05T06:00:00Z")))
        .isEqualTo(ZonedDateTime.parse("2028-01-06T06:00:00Z"));
  }

  @Test
  void failedDatesAreRetriedEveryHourForThreeDays() throws Exception {
    StandardEnvironment environment = with(Map.of());
    String cron =
        environment.resolveRequiredPlaceholders(
            scheduled(DailyExecution.class, "recoverFailed").cron());
    assertThat(CronExpression.parse(cron).next(ZonedDateTime.parse("2028-01-05T06:00:00Z")))
        .isEqualTo(ZonedDateTime.parse("2028-01-05T06:30:00Z"));
    assertThat(environment.getRequiredProperty("recurring-rules.recovery.hours-back"))
        .isEqualTo("72");
  }

  @Test
  void topicAndDatabaseAreThoseOfTheSpecification() throws IOException {
    assertThat(with(Map.of()).getRequiredProperty("recurring-rules.topic"))
        .isEqualTo("recurring_rules");
    assertThat(with(Map.of()).getRequiredProperty("spring.mongodb.database")).isEqualTo("vidulum");
    assertThat(
            with(Map.of("MONGODB_DATABASE", "other"))
                .getRequiredProperty("spring.mongodb.database"))
        .isEqualTo("other");
  }

  private static Scheduled scheduled(Class<?> type, String method) throws Exception {
    return Objects.requireNonNull(type.getMethod(method).getAnnotation(Scheduled.class));
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

  private static PostroadKafkaProperties kafka(StandardEnvironment environment) {
    return Binder.get(environment).bindOrCreate("postroad.kafka", PostroadKafkaProperties.class);
  }
}
