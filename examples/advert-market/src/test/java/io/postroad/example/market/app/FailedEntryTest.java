package io.postroad.example.market.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.admin.OutboxAdmin;
import io.postroad.example.market.KafkaRecords;
import io.postroad.example.market.shared.outbox.OutboxPublisher;
import io.postroad.outbox.OutboxSignal;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.store.Decision;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** An entry that cannot be published until an operator replays it, and the meters. */
class FailedEntryTest {
  private final RunningApplication application = RunningApplication.shared();

  @Test
  void anEntryFailsAfterThreeAttemptsIsCountedAndPublishedAgainByHand() throws Exception {
    application.bean(TestSender.class).refusing(true);
    assertThat(application.create(TestSender.REFUSED_DEAL).statusCode()).isEqualTo(201);
    UUID id =
        UUID.fromString(
            String.valueOf(
                application
                    .jdbc()
                    .queryForObject(
                        "SELECT postroad_id FROM outbox WHERE deal_id = ?",
                        String.class,
                        TestSender.REFUSED_DEAL)));
    OutboxSignal.Died died =
        application.await(OutboxSignal.Died.class, each -> each.message().id().equals(id));

    assertThat(died.attempt()).isEqualTo(3);
    assertThat(application.get("/deals/" + TestSender.REFUSED_DEAL + "/outbox").body())
        .contains("\"status\":\"FAILED\"", "\"retryCount\":3")
        .doesNotContain("price");
    assertThat(application.get("/outbox/counts").body()).contains("\"FAILED\":1");
    meter("outbox_records_failed_total", 1);

    application.bean(TestSender.class).refusing(false);
    application.bean(OutboxAdmin.class).replay(id, new Decision("ada", "it is accepted now"));
    application.await(OutboxSignal.Delivered.class, each -> each.message().id().equals(id));
    assertThat(
            KafkaRecords.await("deal.events", "\"dealId\":\"" + TestSender.REFUSED_DEAL + "\"", 1))
        .hasSize(1);
    assertThat(application.get("/outbox/counts").body()).contains("\"FAILED\":0");
    meter("outbox_published_total", 1);
    meter("outbox_poll_count_total", 1);
    meter("outbox_poll_duration_seconds_count", 1);
  }

  /** Reads a meter, summed over its tags. */
  private void meter(String name, double atLeast) throws Exception {
    double sum =
        application
            .get("/actuator/prometheus")
            .body()
            .lines()
            .filter(line -> line.startsWith(name + "{"))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
            .sum();
    assertThat(sum).as(name).isGreaterThanOrEqualTo(atLeast);
  }

  @Test
  void pollWakesTheRelays() throws Exception {
    CountDownLatch woken = new CountDownLatch(1);
    try (var unused =
        application.bean(PostgresCompetingStore.class).wakeUps().subscribe(woken::countDown)) {
      assertThat(application.post("/outbox/poll", "").statusCode()).isEqualTo(202);
      assertThat(woken.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Another program inserts a row without Postroad's columns. */
  @Test
  void aRowOfAPlainInsertIsPublished() throws Exception {
    application
        .jdbc()
        .update(
            "INSERT INTO outbox (deal_id, idempotency_key, topic, partition_key, payload)"
                + " VALUES ('strange', 'strange:1', 'deal.events', 'strange',"
                + " '{\"dealId\":\"strange\"}')");

    List<ConsumerRecord<String, String>> events =
        KafkaRecords.await("deal.events", "\"dealId\":\"strange\"", 1);

    assertThat(events).extracting(ConsumerRecord::key).containsExactly("strange");
    assertThat(KafkaRecords.header(events.get(0), "idempotency-key")).isEqualTo("strange:1");
  }

  /** app.outbox.publish-timeout is 20 s here, plus two waits of 5 s for a broker, plus a second. */
  @Test
  void theRunningSenderHasThePublishTimeout() {
    assertThat(application.bean(OutboxPublisher.class).timeout()).isEqualTo(Duration.ofSeconds(31));
  }
}
