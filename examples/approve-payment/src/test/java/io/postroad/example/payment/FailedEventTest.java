package io.postroad.example.payment;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxCleanup;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxDeadLetterQueue;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxEventRepository;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxEventStatus;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxPublisher;
import io.postroad.outbox.OutboxSignal;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** An event that cannot be published, until a person has it published again; and the cleanup. */
class FailedEventTest {
  private final RunningApplication application = RunningApplication.shared();

  @Test
  void anEventFailsAfterThreeAttemptsIsCopiedAndPublishedAgainByHand() throws Exception {
    application.bean(TestSender.class).refusing(true);
    assertThat(application.approve("poison", TestSender.REFUSED_USER).statusCode()).isEqualTo(201);
    String id = application.eventOf("poison");
    OutboxSignal.Died died =
        application.await(
            OutboxSignal.Died.class, each -> each.message().id().toString().equals(id));

    assertThat(died.attempt()).isEqualTo(3);
    assertThat(row(id))
        .containsEntry("status", "FAILED")
        .containsEntry("retry_count", 3)
        .containsEntry("error_message", "refused by the test");
    OutboxPublisher publisher = application.bean(OutboxPublisher.class);
    assertThat(publisher.getFailedEventsCount()).isEqualTo(1);
    assertThat(application.bean(OutboxEventRepository.class).findByStatus(OutboxEventStatus.FAILED))
        .singleElement()
        .satisfies(event -> assertThat(event.isFailed()).isTrue());
    assertThat(application.get("/outbox/failed").body()).contains(id).doesNotContain("amount");
    assertThat(application.get("/outbox/counts").body()).contains("\"FAILED\":1");
    assertThat(application.get("/actuator/prometheus").body().lines())
        .anyMatch(
            line ->
                line.startsWith("outbox_failed_events_total")
                    && line.contains("PAYMENT_APPROVED")
                    && line.endsWith(" 1.0"));

    application.bean(OutboxDeadLetterQueue.class).copyFailedEvents();
    application.bean(OutboxDeadLetterQueue.class).copyFailedEvents();
    ConsumerRecord<String, String> copy =
        RunningApplication.received("outbox.dlq", "poison", 1).get(0);
    assertThat(copy.key()).isEqualTo(TestSender.REFUSED_USER);
    assertThat(RunningApplication.header(copy, "event-id")).isEqualTo(id);
    assertThat(RunningApplication.header(copy, "dead-letter-error"))
        .isEqualTo("refused by the test");
    assertThat(application.bean(OutboxEventRepository.class).findFailedNotCopied(10)).isEmpty();

    application.bean(TestSender.class).refusing(false);
    assertThat(reprocess(id)).isEqualTo(202);
    application.await(
        OutboxSignal.Delivered.class, each -> each.message().id().toString().equals(id));
    assertThat(row(id)).containsEntry("status", "PUBLISHED");
    assertThat(RunningApplication.received("payment.approved", "poison", 1)).hasSize(1);
    assertThat(reprocess(id)).as("it has not failed any more").isEqualTo(409);
  }

  private int reprocess(String id) throws Exception {
    return application
        .post(
            "/outbox/events/" + id + "/reprocess",
            "{\"by\":\"ada\",\"reason\":\"the topic is there now\"}")
        .statusCode();
  }

  @Test
  void aDecisionNeedsWhoAndWhyAndAnEventThatFailed() throws Exception {
    String id = UUID.randomUUID().toString();
    var response = application.post("/outbox/events/" + id + "/reprocess", "{\"by\":\"ada\"}");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("\"field\":\"reason\"");
    assertThat(reprocess(id)).as("nobody knows it").isEqualTo(409);
    assertThat(application.post("/outbox/events/42/reprocess", "{}").body())
        .contains("\"field\":\"id\"");
  }

  @Test
  void theCleanupRemovesWhatWasPublishedAWeekAgo() throws Exception {
    for (String payment : new String[] {"old", "young"}) {
      assertThat(application.approve(payment, "zoe").statusCode()).isEqualTo(201);
      String id = application.eventOf(payment);
      application.await(
          OutboxSignal.Delivered.class, each -> each.message().id().toString().equals(id));
    }
    application
        .jdbc()
        .update(
            "UPDATE outbox_event SET published_at = published_at - interval '8 days'"
                + " WHERE aggregate_id = 'old'");

    application.bean(OutboxCleanup.class).cleanupOldEvents();

    assertThat(
            application
                .jdbc()
                .queryForList(
                    "SELECT aggregate_id FROM outbox_event WHERE partition_key = 'zoe'",
                    String.class))
        .containsExactly("young");
  }

  private Map<String, Object> row(String id) {
    return application.jdbc().queryForMap("SELECT * FROM outbox_event WHERE id = ?", id);
  }
}
