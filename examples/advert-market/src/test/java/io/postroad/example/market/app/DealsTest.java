package io.postroad.example.market.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.example.market.KafkaRecords;
import io.postroad.example.market.app.deal.DealService;
import io.postroad.example.market.deal.Deal;
import io.postroad.example.market.shared.outbox.NewOutboxEntry;
import io.postroad.example.market.shared.outbox.OutboxEntry;
import io.postroad.example.market.shared.outbox.OutboxRepository;
import io.postroad.example.market.shared.outbox.OutboxStatus;
import io.postroad.transaction.NoTransactionException;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From HTTP to the tables and to Kafka. */
class DealsTest {
  private final RunningApplication application = RunningApplication.shared();

  @Test
  void everyChangeOfADealIsPublishedInOrder() throws Exception {
    assertThat(application.create("whole").statusCode()).isEqualTo(201);
    assertThat(application.post("/deals/whole/fund", "{\"amount\":10.5}").statusCode())
        .isEqualTo(200);
    HttpResponse<String> completed = application.post("/deals/whole/complete", "");
    assertThat(completed.statusCode()).isEqualTo(200);
    assertThat(completed.body()).contains("\"status\":\"COMPLETED\"", "\"version\":3");
    assertThat(application.get("/deals/whole").body()).isEqualTo(completed.body());

    List<ConsumerRecord<String, String>> events =
        KafkaRecords.await("deal.events", "\"dealId\":\"whole\"", 3);
    assertThat(events)
        .extracting(event -> KafkaRecords.header(event, "event-type"))
        .containsExactly("DealCreated", "DealFunded", "DealCompleted");
    assertThat(events)
        .extracting(event -> KafkaRecords.header(event, "idempotency-key"))
        .containsExactly("whole:1", "whole:2", "whole:3");
    assertThat(events).extracting(ConsumerRecord::key).containsOnly("whole");
    JsonNode payload = JsonMapper.shared().readTree(events.get(0).value());
    assertThat(payload.propertyNames())
        .containsExactly(
            "eventType",
            "dealId",
            "dealVersion",
            "advertiserId",
            "channelId",
            "price",
            "currency",
            "status",
            "cancelReason",
            "occurredAt");
  }

  @Test
  void aCancelledDealHasItsReason() throws Exception {
    application.create("off");
    HttpResponse<String> cancelled =
        application.post("/deals/off/cancel", "{\"reason\":\"no room\"}");

    assertThat(cancelled.statusCode()).isEqualTo(200);
    assertThat(cancelled.body()).contains("\"status\":\"CANCELLED\"", "\"no room\"");
    assertThat(application.get("/deals/off/outbox").body()).contains("off:1", "off:2");
  }

  @Test
  void anEntryHasTheFieldsOfTheSpecification() {
    snapshot()
        .executeWithoutResult(
            status -> {
              application.bean(DealService.class).create(deal("fields"));
              OutboxRepository outbox = application.bean(OutboxRepository.class);
              List<OutboxEntry> entries = outbox.findByDeal("fields");
              assertThat(entries).hasSize(1);
              OutboxEntry entry = entries.get(0);
              assertThat(entry.idempotencyKey()).isEqualTo("fields:1");
              assertThat(entry.topic()).isEqualTo("deal.events");
              assertThat(entry.partitionKey()).isEqualTo("fields");
              assertThat(entry.payload()).contains("\"dealId\":\"fields\"");
              assertThat(entry.status()).isEqualTo(OutboxStatus.PENDING);
              assertThat(entry.retryCount()).isZero();
              assertThat(entry.version()).isEqualTo(1);
              assertThat(entry.processedAt()).isNull();
              assertThat(outbox.findPendingBatch(1_000))
                  .as("entries younger than a second are not claimed")
                  .doesNotContain(entry);
              assertThat(outbox.countByStatus()).containsKeys(OutboxStatus.values());
              status.setRollbackOnly();
            });
  }

  /** Other transactions never see the entries, because the test rolls back. */
  @Test
  void thePendingBatchHasDueEntriesTheOldestFirst() {
    snapshot()
        .executeWithoutResult(
            status -> {
              application
                  .jdbc()
                  .update(
                      """
                      INSERT INTO outbox (idempotency_key, topic, payload, status, created_at, postroad_due_at)
                      SELECT k, 'deal.events', '{}', s, now() - CAST(age AS interval), CAST(due AS timestamptz)
                      FROM (VALUES
                        ('batch-2', 'PENDING', '2 h', NULL),
                        ('batch-1', 'PENDING', '3 h', 'yesterday'),
                        ('batch-3', 'PENDING', '1 s', NULL),
                        ('young', 'PENDING', '0.9 s', NULL),
                        ('waits', 'PENDING', '4 h', 'tomorrow'),
                        ('aside', 'PENDING', '4 h', 'infinity'),
                        ('claimed', 'PROCESSING', '4 h', NULL)) AS v (k, s, age, due)
                      """);
              OutboxRepository outbox = application.bean(OutboxRepository.class);
              assertThat(outbox.findPendingBatch(2))
                  .extracting(OutboxEntry::idempotencyKey)
                  .containsExactly("batch-1", "batch-2");
              assertThat(outbox.findPendingBatch(1_000))
                  .extracting(OutboxEntry::idempotencyKey)
                  .contains("batch-3")
                  .doesNotContain("young", "waits", "aside", "claimed");
              status.setRollbackOnly();
            });
  }

  @Test
  void aRollbackLeavesNeitherDealNorEntry() {
    snapshot()
        .executeWithoutResult(
            status -> {
              application.bean(DealService.class).create(deal("undone"));
              assertThat(application.count("outbox WHERE deal_id = 'undone'")).isEqualTo(1);
              status.setRollbackOnly();
            });

    assertThat(application.count("deal WHERE id = 'undone'")).isZero();
    assertThat(application.count("outbox WHERE deal_id = 'undone'")).isZero();
  }

  /** The database refuses the entry after the deal was written. */
  @Test
  void aDealIsNotChangedIfItsEntryCannotBeStored() throws Exception {
    application.create("half");
    application
        .jdbc()
        .execute("ALTER TABLE outbox ADD CONSTRAINT refused CHECK (idempotency_key <> 'half:2')");
    try {
      assertThat(application.post("/deals/half/fund", "{\"amount\":10.5}").statusCode())
          .isEqualTo(500);
    } finally {
      application.jdbc().execute("ALTER TABLE outbox DROP CONSTRAINT refused");
    }
    assertThat(application.get("/deals/half").body()).contains("\"status\":\"CREATED\"");
    assertThat(application.post("/deals/half/fund", "{\"amount\":10.5}").statusCode())
        .isEqualTo(200);
  }

  /** Another entry has used the key, so this change could not be published. */
  @Test
  void aDealIsNotStoredIfItsEntryHasAUsedKey() throws Exception {
    application
        .jdbc()
        .update(
            "INSERT INTO outbox (idempotency_key, topic, payload, status)"
                + " VALUES ('taken:1', 'deal.events', '{}', 'DELIVERED')");

    assertThat(application.create("taken").statusCode()).isEqualTo(500);
    assertThat(application.count("deal WHERE id = 'taken'")).isZero();
  }

  @Test
  void anEntryOutsideATransactionIsRefused() {
    var entry = new NewOutboxEntry("DealCreated", "loose", "loose:1", "deal.events", "loose", "{}");
    assertThatThrownBy(() -> application.bean(OutboxRepository.class).save(entry))
        .isInstanceOf(NoTransactionException.class);
    assertThat(application.count("outbox WHERE deal_id = 'loose'")).isZero();
  }

  @Test
  void onlyOneOfManyConcurrentChangesOfADealSucceeds() throws Exception {
    application.create("contested");
    application.post("/deals/contested/fund", "{\"amount\":10.5}");

    List<Integer> codes = new ArrayList<>();
    int clients = 8;
    CyclicBarrier together = new CyclicBarrier(clients);
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        String step = i % 2 == 0 ? "complete" : "cancel";
        answers.add(
            threads.submit(
                () -> {
                  together.await();
                  return application
                      .post("/deals/contested/" + step, "{\"reason\":\"no room\"}")
                      .statusCode();
                }));
      }
      for (Future<Integer> answer : answers) {
        codes.add(answer.get());
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(codes).containsExactlyInAnyOrder(200, 409, 409, 409, 409, 409, 409, 409);
    assertThat(application.count("outbox WHERE deal_id = 'contested'")).isEqualTo(3);
  }

  @Test
  void theTableHasTheColumnsOfTheSpecification() {
    List<Map<String, Object>> columns =
        application
            .jdbc()
            .queryForList(
                "SELECT column_name FROM information_schema.columns WHERE table_name = 'outbox'"
                    + " AND column_name NOT LIKE 'postroad%' ORDER BY ordinal_position");
    assertThat(columns)
        .extracting(row -> row.get("column_name"))
        .containsExactly(
            "id",
            "deal_id",
            "idempotency_key",
            "topic",
            "partition_key",
            "payload",
            "status",
            "retry_count",
            "version",
            "created_at",
            "processed_at");
  }

  private TransactionTemplate snapshot() {
    TransactionTemplate snapshot =
        new TransactionTemplate(application.bean(PlatformTransactionManager.class));
    snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    return snapshot;
  }

  private static Deal deal(String id) {
    return Deal.create(id, "ada", "channel-1", BigDecimal.TEN, "EUR");
  }
}
