package io.postroad.example.market;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.example.market.app.outbox.OutboxConfiguration;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.layout.Layout;
import io.postroad.outbox.OutboxRelay;
import io.postroad.test.InMemoryCompetingStore;
import io.postroad.test.ManualClock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One test for each key of the specification: its default, and its effect on Postroad. */
class KeysTest {

  @Test
  void pollIntervalIsHalfASecondUnlessGiven() {
    assertThat(Settings.of(Map.of()).outbox().pollInterval()).isEqualTo(Duration.ofMillis(500));
    assertThat(Settings.of(Map.of()).relay().sweepEvery()).isEqualTo(Duration.ofMillis(500));
    assertThat(given("app.outbox.pollInterval", "2s").relay().sweepEvery())
        .isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void batchSizeIsFiftyUnlessGiven() {
    assertThat(Settings.of(Map.of()).outbox().batchSize()).isEqualTo(50);
    assertThat(Settings.of(Map.of()).relay().batch()).isEqualTo(50);
    assertThat(Settings.of(Map.of()).relay().maxBatch()).isEqualTo(50);
    assertThat(given("app.outbox.batchSize", "500").relay().batch()).isEqualTo(500);
    assertThat(given("app.outbox.batchSize", "500").relay().maxBatch()).isEqualTo(500);
  }

  @Test
  void maxRetriesIsThreeUnlessGiven() {
    assertThat(Settings.of(Map.of()).relay().maxAttempts()).isEqualTo(3);
    assertThat(layout(Settings.of(Map.of())).executions()).isEqualTo(3);
    Settings seven = given("app.outbox.maxRetries", "7");
    assertThat(seven.relay().maxAttempts()).isEqualTo(7);
    assertThat(layout(seven).executions()).isEqualTo(7);
  }

  @Test
  void initialBackoffIsASecondUnlessGivenAndDoubles() {
    assertThat(Settings.of(Map.of()).relay().backoff().first()).isEqualTo(Duration.ofSeconds(1));
    assertThat(Settings.of(Map.of()).relay().backoff().factor()).isEqualTo(2);
    assertThat(given("app.outbox.initialBackoff", "3s").relay().backoff().first())
        .isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void publishTimeoutIsFiveSecondsUnlessGiven() {
    assertThat(Settings.of(Map.of()).outbox().publishTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(Settings.of(Map.of()).kafka().sendTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(given("app.outbox.publishTimeout", "7s").kafka().sendTimeout())
        .isEqualTo(Duration.ofSeconds(7));
  }

  /** Only the TTL must be long enough; the relay refuses other combinations. */
  @Test
  void publishTimeoutMayBeLong() {
    Settings settings =
        Settings.of(Map.of("app.outbox.publishTimeout", "20s", "app.outbox.processingTtl", "2m"));
    KafkaSenderOptions options =
        KafkaSenderOptions.of("localhost:1").withSendTimeout(settings.kafka().sendTimeout());
    try (KafkaSender sender = KafkaSender.create(options)) {
      assertThat(sender.timeout()).isEqualTo(Duration.ofSeconds(31));
      OutboxRelay relay =
          OutboxRelay.builder(new InMemoryCompetingStore(ManualClock.startingNow()), sender)
              .options(settings.relayOptions("node"))
              .build();
      assertThat(relay.isRunning()).isFalse();
    }
  }

  @Test
  void processingTtlIsHalfAMinuteUnlessGiven() {
    assertThat(Settings.of(Map.of()).relay().leaseFor()).isEqualTo(Duration.ofSeconds(30));
    assertThat(layout(Settings.of(Map.of())).strangersAfter()).isEqualTo(Duration.ofSeconds(30));
    Settings minute = given("app.outbox.processingTtl", "1m");
    assertThat(minute.relay().leaseFor()).isEqualTo(Duration.ofMinutes(1));
    assertThat(layout(minute).strangersAfter()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void deliveredEntriesAreKeptForAWeekUnlessGiven() {
    assertThat(Settings.of(Map.of()).relay().retention()).isEqualTo(Duration.ofDays(7));
    assertThat(given("app.outbox.retention", "1d").relay().retention())
        .isEqualTo(Duration.ofDays(1));
  }

  @Test
  void nodesShareTheWorkUnlessExclusiveIsSet() {
    assertThat(layout(Settings.of(Map.of())).exclusive()).isFalse();
    assertThat(layout(given("app.outbox.exclusive", "true")).exclusive()).isTrue();
  }

  @Test
  void everyNodeHasItsOwnName() {
    assertThat(Settings.of(Map.of()).relay().name())
        .startsWith("advert-market-")
        .isNotEqualTo(Settings.of(Map.of()).relay().name());
  }

  /** The specification's rule, which no key changes. */
  @Test
  void entriesYoungerThanASecondAreNotClaimed() {
    assertThat(layout(Settings.of(Map.of())).minAge()).isEqualTo(Duration.ofSeconds(1));
  }

  private static Settings given(String key, String value) {
    return Settings.of(Map.of(key, value));
  }

  private static Layout layout(Settings settings) {
    return OutboxConfiguration.layout(settings.outbox());
  }
}
