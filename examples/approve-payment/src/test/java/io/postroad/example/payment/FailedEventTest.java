package io.postroad.example.payment;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.admin.OutboxAdmin;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.DeadLetterCopies;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxCleanup;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxDeadLetterQueue;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxEvent;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxEventRepository;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxEventStatus;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxPublisher;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxSignal;
import io.postroad.store.Decision;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An event that cannot be published until an operator replays it; and the cleanup. */
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
    assertThat(application.bean(DeadLetterCopies.class).open(10)).isEmpty();

    application.bean(TestSender.class).refusing(false);
    assertThat(reprocess(id).statusCode()).isEqualTo(202);
    application.await(
        OutboxSignal.Delivered.class, each -> each.message().id().toString().equals(id));
    assertThat(row(id)).containsEntry("status", "PUBLISHED");
    assertThat(RunningApplication.received("payment.approved", "poison", 1)).hasSize(1);
    HttpResponse<String> again = reprocess(id);
    assertThat(again.statusCode()).as("it is no longer failed").isEqualTo(409);
    assertThat(again.body()).contains("\"field\":\"id\"", "\"reason\":\"", "has not failed");
  }

  private HttpResponse<String> reprocess(String id) throws Exception {
    return application.post(
        "/outbox/events/" + id + "/reprocess",
        "{\"by\":\"ada\",\"reason\":\"the topic is there now\"}");
  }

  /**
   * Events as the job of the specification leaves them: as many as one poll takes, and a younger
   * one. The schedule copies at the same time, so an event may be copied twice.
   */
  @Test
  void eventsThatFailedBeforePostroadAreCopiedOnceAndDelayNoOther() {
    fail("legacy", 100, "2020-01-01");
    fail("younger", 1, "2021-01-01");
    try {
      OutboxDeadLetterQueue queue = application.bean(OutboxDeadLetterQueue.class);
      queue.copyFailedEvents();
      queue.copyFailedEvents();

      assertThat(application.bean(DeadLetterCopies.class).open(10)).isEmpty();
      assertThat(
              application
                  .jdbc()
                  .queryForObject(
                      "SELECT count(*) FROM outbox_dlq_copy c JOIN outbox_event e ON e.id ="
                          + " c.event_id WHERE c.died_at = e.created_at AND e.published_at IS NULL",
                      Integer.class))
          .isEqualTo(101);
      assertThat(RunningApplication.received("outbox.dlq", "payload of younger", 1)).isNotEmpty();
    } finally {
      application
          .jdbc()
          .update("DELETE FROM outbox_event WHERE partition_key IN ('legacy', 'younger')");
    }
  }

  /** A failure after the copied one is another failure. */
  @Test
  void onlyTheFailureThatWasReadIsRecorded() {
    fail("again", 1, "2020-01-01");
    try {
      application.bean(OutboxDeadLetterQueue.class).copyFailedEvents();
      assertThat(copies("again")).isEqualTo(1);
      application
          .jdbc()
          .update("UPDATE outbox_event SET published_at = now() WHERE partition_key = 'again'");
      application.bean(OutboxDeadLetterQueue.class).copyFailedEvents();
      assertThat(copies("again")).isEqualTo(2);
    } finally {
      application.jdbc().update("DELETE FROM outbox_event WHERE partition_key = 'again'");
    }
  }

  /** A corrected event replaces the failed one, with a new id. */
  @Test
  void anEventThatWasCopiedCanStillBeCorrected() throws Exception {
    fail("corrected", 1, "2020-01-01");
    try {
      application.bean(OutboxDeadLetterQueue.class).copyFailedEvents();
      assertThat(copies("corrected")).isEqualTo(1);
      UUID failed =
          application
              .jdbc()
              .queryForObject(
                  "SELECT CAST(id AS uuid) FROM outbox_event WHERE partition_key = 'corrected'",
                  UUID.class);

      Message sent =
          application
              .bean(OutboxAdmin.class)
              .edit(
                  Objects.requireNonNull(failed),
                  event -> event.json("\"right payload\""),
                  new Decision("ada", "the payload was wrong"));

      application.await(
          OutboxSignal.Delivered.class, each -> each.message().id().equals(sent.id()));
      assertThat(row(sent.id().toString()))
          .containsEntry("status", "PUBLISHED")
          .containsEntry("payload", "\"right payload\"");
      assertThat(copies("corrected")).as("the record is removed with the event").isEqualTo(1);
    } finally {
      application.jdbc().update("DELETE FROM outbox_event WHERE partition_key = 'corrected'");
    }
  }

  /** The broker will never accept the oldest event; the id of the next one is no UUID. */
  @Test
  void aCopyThatIsRefusedForGoodIsNotRepeatedAndDelaysNoOther() {
    fail(TestSender.NEVER_COPIED_USER, 1, "2020-01-01");
    fail("odd", 1, "2021-01-01");
    application
        .jdbc()
        .update(
            "UPDATE outbox_event SET id = 'odd-id' WHERE partition_key = 'odd' AND id <> 'odd-id'");
    try {
      application.bean(OutboxDeadLetterQueue.class).copyFailedEvents();

      assertThat(copies(TestSender.NEVER_COPIED_USER)).isEqualTo(1);
      assertThat(copies("odd")).isEqualTo(1);
      assertThat(RunningApplication.received("outbox.dlq", "payload of odd", 1)).isNotEmpty();
    } finally {
      application
          .jdbc()
          .update(
              "DELETE FROM outbox_event WHERE partition_key IN ('odd', ?)",
              TestSender.NEVER_COPIED_USER);
    }
  }

  /** Inserts failed events as the job of the specification leaves them: without published_at. */
  private void fail(String key, int count, String createdAt) {
    application
        .jdbc()
        .update(
            """
            INSERT INTO outbox_event (
              id, aggregate_type, aggregate_id, event_type, topic, partition_key, payload, status,
              retry_count, error_message, created_at)
            SELECT gen_random_uuid(), 'PAYMENT', n, 'PAYMENT_APPROVED', 'payment.approved', ?,
              '"payload of ' || ? || '"', 'FAILED', 3, 'gave up', CAST(? AS timestamp)
            FROM generate_series(1, ?) n
            """,
            key,
            key,
            createdAt,
            count);
  }

  private int copies(String key) {
    Integer count =
        application
            .jdbc()
            .queryForObject(
                "SELECT count(*) FROM outbox_dlq_copy c JOIN outbox_event e ON e.id = c.event_id"
                    + " WHERE e.partition_key = ?",
                Integer.class,
                key);
    return count == null ? 0 : count;
  }

  @Test
  void aDecisionNeedsAnOperatorAReasonAndAFailedEvent() throws Exception {
    String id = UUID.randomUUID().toString();
    var response = application.post("/outbox/events/" + id + "/reprocess", "{\"by\":\"ada\"}");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("\"field\":\"reason\"");
    HttpResponse<String> unknown = reprocess(id);
    assertThat(unknown.statusCode()).as("an unknown event").isEqualTo(404);
    assertThat(unknown.body()).contains("\"field\":\"id\"", "\"reason\":\"");
    assertThat(application.post("/outbox/events/42/reprocess", "{}").body())
        .contains("\"field\":\"id\"");
  }

  static List<Arguments> badDecisions() {
    return List.of(
        Arguments.of("a".repeat(201), "r", "by", "at most 200"),
        Arguments.of("a\\u0000", "r", "by", "control"),
        Arguments.of("\\ud800", "r", "by", "surrogate"),
        Arguments.of("ada", "r".repeat(2001), "reason", "at most 2000"),
        Arguments.of("ada", "line\\nline", "reason", "control"),
        Arguments.of("ada", "\\udc00\\ud800", "reason", "surrogate"));
  }

  @ParameterizedTest
  @MethodSource("badDecisions")
  void anInvalidDecisionIsAProblemWithFieldAndReason(
      String by, String why, String field, String reason) throws Exception {
    HttpResponse<String> response =
        application.post(
            "/outbox/events/" + UUID.randomUUID() + "/reprocess",
            "{\"by\":\"%s\",\"reason\":\"%s\"}".formatted(by, why));

    assertThat(response.statusCode()).isEqualTo(400);
    JsonNode problem = JsonMapper.shared().readTree(response.body());
    assertThat(problem.path("field").asString()).isEqualTo(field);
    assertThat(problem.path("reason").asString()).contains(reason);
  }

  @Test
  void theCleanupRemovesEventsPublishedAWeekAgo() throws Exception {
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

    assertThat(
            application
                .bean(OutboxEventRepository.class)
                .findByStatusAndPublishedAtBefore(
                    OutboxEventStatus.PUBLISHED, Instant.now().minus(Duration.ofDays(7))))
        .extracting(OutboxEvent::getAggregateId)
        .containsExactly("old");

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
