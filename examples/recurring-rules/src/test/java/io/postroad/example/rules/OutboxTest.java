package io.postroad.example.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Updates;
import io.postroad.example.rules.application.RuleEvents;
import io.postroad.example.rules.domain.RuleEvent;
import io.postroad.example.rules.infrastructure.outbox.OutboxDocument;
import io.postroad.example.rules.infrastructure.outbox.OutboxProcessor;
import io.postroad.example.rules.infrastructure.outbox.OutboxRepository;
import io.postroad.outbox.OutboxSignal;
import io.postroad.spi.OutboxStore;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.mongodb.core.MongoTemplate;

/** The team's outbox with Postroad. */
class OutboxTest {
  private static final Date LONG_AGO = Date.from(Instant.EPOCH);
  private static final String MONTHLY = "{\"type\":\"MONTHLY\",\"dayOfMonth\":10}";

  @SuppressWarnings("NullAway.Init")
  private RunningApplication application;

  @BeforeEach
  void clear() {
    application = RunningApplication.cleared();
  }

  @Test
  void anEventHasTheFieldsOfTheSpecificationAndIsSent() throws Exception {
    String id = application.create(MONTHLY, "2028-01-10", "");
    UUID event = application.events(id).get(0).get("_id", UUID.class);
    var delivered =
        application.await(OutboxSignal.Delivered.class, each -> each.message().id().equals(event));
    assertThat(delivered.receipt()).containsKeys("partition", "offset");
    Document stored = application.events(id).get(0);
    assertThat(stored)
        .containsEntry("aggregateType", "RecurringRule")
        .containsEntry("aggregateId", id)
        .containsEntry("eventType", "RuleCreatedEvent")
        .containsEntry("targetTopic", "recurring_rules")
        .containsEntry("status", "SENT")
        .containsEntry("retryCount", 0);
    assertThat(stored.getDate("createdAt")).isNotNull();
    assertThat(stored.getDate("processedAt")).isNotNull();
    Document payload = stored.get("payload", Document.class);
    assertThat(payload.get("amount", Document.class).get("amount"))
        .isEqualTo(Decimal128.parse("8500.00"));
    assertThat(payload.getString("occurredAt")).matches("2028-.{14}\\.\\d{6}Z");
    OutboxDocument read = application.bean(OutboxRepository.class).findById(event).orElseThrow();
    assertThat(read.status()).isEqualTo("SENT");
    assertThat(read.aggregateId()).isEqualTo(id);
  }

  /** The clock stands still in this test. */
  @Test
  void twoEventsOfOneKindInOneMillisecondAreBothSent() throws Exception {
    String id = application.create(MONTHLY, "2028-01-10", "");
    for (int i = 0; i < 2; i++) {
      assertThat(application.post("/recurring-rules/" + id + "/pause", "{}").statusCode())
          .isEqualTo(200);
      assertThat(application.post("/recurring-rules/" + id + "/resume", "").statusCode())
          .isEqualTo(200);
    }
    assertThat(application.eventTypes(id))
        .containsExactly(
            "RuleCreatedEvent",
            "RulePausedEvent",
            "RuleResumedEvent",
            "RulePausedEvent",
            "RuleResumedEvent");
    assertThat(RunningApplication.received(id, 5)).hasSize(5);
  }

  @Test
  void theSameEventIsRefusedASecondTime() {
    RuleEvent event = new RuleEvent.RuleDeletedEvent("RR10000777", "2028-01-05T10:30:00.000001Z");
    append(event);
    assertThatThrownBy(() -> append(event)).hasStackTraceContaining("idx_outbox_unique_event");
    assertThat(application.events("RR10000777")).hasSize(1);
  }

  @Test
  void eventsAreAppendedInATransactionOrNotAtAll() {
    RuleEvent event = new RuleEvent.RuleDeletedEvent("RR10000778", "2028-01-05T10:30:00.000001Z");
    assertThatThrownBy(() -> application.bean(RuleEvents.class).append(List.of(event)))
        .isInstanceOf(NoTransactionException.class);
    assertThat(application.events("RR10000778")).isEmpty();
  }

  /** The validator of the outbox refuses the event after the rule was written. */
  @Test
  void aRuleIsNotStoredIfItsEventCannotBeStored() throws Exception {
    validateOutbox(Document.parse("{eventType: {$ne: 'RuleCreatedEvent'}}"));
    try {
      assertThat(
              application
                  .post("/recurring-rules", RunningApplication.body(MONTHLY, "2028-01-10", ""))
                  .statusCode())
          .isEqualTo(500);
    } finally {
      validateOutbox(new Document());
    }
    assertThat(application.rules().countDocuments()).isZero();
  }

  private void validateOutbox(Document validator) {
    var unused =
        application
            .bean(MongoTemplate.class)
            .getDb()
            .runCommand(new Document("collMod", "outbox").append("validator", validator));
  }

  @Test
  void aRefusedEventWaitsTwoToTheNthMinutesAndFailsAfterFiveAttempts() throws Exception {
    TestSender sender = application.bean(TestSender.class);
    Logger logger = (Logger) LoggerFactory.getLogger(OutboxProcessor.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    // No rule has this id yet.
    String before = application.create(MONTHLY, "2028-01-10", "");
    String id = "RR" + (Long.parseLong(before.substring(2)) + 1);
    sender.refuse(id);
    assertThat(application.create(MONTHLY, "2028-01-10", "")).isEqualTo(id);
    UUID event = application.events(id).get(0).get("_id", UUID.class);
    for (int attempt = 1; attempt < 5; attempt++) {
      int now = attempt;
      var retry =
          application.await(
              OutboxSignal.RetryScheduled.class,
              each -> each.message().id().equals(event) && each.attempt() == now);
      Duration wanted = Duration.ofMinutes(1L << attempt);
      assertThat(retry.delay())
          .isBetween(wanted.multipliedBy(8).dividedBy(10), wanted.multipliedBy(12).dividedBy(10));
      Document waiting = application.events(id).get(0);
      assertThat(waiting)
          .containsEntry("status", "PENDING")
          .containsEntry("retryCount", attempt)
          .containsEntry("lastError", "refused by the test");
      assertThat(waiting.getDate("nextRetryAt")).isAfter(Instant.now());
      // Makes the event due.
      application
          .outbox()
          .updateOne(new Document("_id", event), Updates.set("nextRetryAt", LONG_AGO));
    }
    var died =
        application.await(OutboxSignal.Died.class, each -> each.message().id().equals(event));
    assertThat(died.attempt()).isEqualTo(5);
    logger.detachAppender(lines);
    assertThat(List.copyOf(lines.list))
        .as("the relay informs the processor")
        .extracting(ILoggingEvent::getFormattedMessage)
        .contains("Failed to process outbox entry %s: refused by the test".formatted(event));
    Document dead = application.events(id).get(0);
    assertThat(dead).containsEntry("status", "FAILED").containsEntry("retryCount", 5);
    assertThat(dead.get("nextRetryAt")).as("the old sweep would revive it").isNull();
    assertThat(
            application
                .bean(OutboxRepository.class)
                .findByStatusOrderByCreatedAtAsc("FAILED", PageRequest.of(0, 100)))
        .extracting(OutboxDocument::id)
        .contains(event);
    sender.accept(id);
  }

  /** Documents of the team's own program. */
  @Test
  void eventsOfTheOldProgramAreSentOrIgnored() throws Exception {
    UUID pending = left("PENDING", 0, null);
    UUID retry = left("FAILED", 2, LONG_AGO);
    UUID later = left("PENDING", 1, Date.from(Instant.now().plusSeconds(86_400)));
    UUID dead = left("FAILED", 5, null);
    application.bean(OutboxProcessor.class).retryFailedEntries();
    for (UUID sent : List.of(pending, retry)) {
      assertThat(RunningApplication.received("RR-" + sent, 1)).hasSize(1);
    }
    assertThat(status(later)).isEqualTo("PENDING");
    assertThat(status(dead)).isEqualTo("FAILED");
    assertThat(
            application
                .bean(OutboxRepository.class)
                .findByStatusAndNextRetryAtLessThanEqual(
                    "PENDING", Instant.now().plusSeconds(100_000).atZone(ZoneOffset.UTC)))
        .extracting(OutboxDocument::id)
        .contains(later);
    application.outbox().deleteOne(new Document("_id", later));
  }

  private UUID left(String status, int retryCount, @Nullable Date nextRetryAt) {
    UUID id = UUID.randomUUID();
    application
        .outbox()
        .insertOne(
            new Document("_id", id)
                .append("aggregateType", "RecurringRule")
                .append("aggregateId", "RR-" + id)
                .append("eventType", "RuleCreatedEvent")
                .append("payload", new Document("ruleId", "RR-" + id))
                .append("status", status)
                .append("targetTopic", "recurring_rules")
                .append("createdAt", Date.from(Instant.now()))
                .append("processedAt", null)
                .append("retryCount", retryCount)
                .append("maxRetries", 5)
                .append("nextRetryAt", nextRetryAt)
                .append("lastError", null));
    return id;
  }

  private String status(UUID id) {
    return application.bean(OutboxRepository.class).findById(id).orElseThrow().status();
  }

  @Test
  void anEventCanBeTakenByHandOnce() {
    UUID id = left("PENDING", 0, Date.from(Instant.now().plusSeconds(86_400)));
    OutboxRepository outbox = application.bean(OutboxRepository.class);
    assertThat(outbox.markAsProcessing(id)).isEqualTo(1);
    assertThat(outbox.markAsProcessing(id)).isZero();
    assertThat(status(id)).isEqualTo("PROCESSING");
    outbox.deleteById(id);
  }

  @Test
  void processOutboxWakesTheRelay() throws Exception {
    CountDownLatch woken = new CountDownLatch(2);
    try (var unused = application.bean(OutboxStore.class).wakeUps().subscribe(woken::countDown)) {
      application.bean(OutboxProcessor.class).processOutbox();
      application.bean(OutboxProcessor.class).retryFailedEntries();
      assertThat(woken.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void theLogLinesAreThoseOfTheSpecification() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(OutboxProcessor.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    UUID id = UUID.fromString("00000000-0000-4000-8000-000000000001");
    OutboxSignal.Subject event =
        new OutboxSignal.Subject(id, "RuleCreatedEvent", "recurring_rules");
    OutboxProcessor processor = application.bean(OutboxProcessor.class);
    processor.on(new OutboxSignal.RetryScheduled(event, 1, Duration.ZERO, "refused"));
    processor.on(new OutboxSignal.Died(event, 5, "refused again"));
    String rule = application.create(MONTHLY, "2028-01-10", "");
    assertThat(RunningApplication.received(rule, 1)).hasSize(1);
    var unused =
        application.await(
            OutboxSignal.Delivered.class,
            each ->
                each.message().id().equals(application.events(rule).get(0).get("_id", UUID.class)));
    logger.detachAppender(lines);
    assertThat(List.copyOf(lines.list))
        .extracting(line -> line.getLevel() + " " + line.getFormattedMessage())
        .contains(
            "ERROR Failed to process outbox entry %s: refused".formatted(id),
            "ERROR Failed to process outbox entry %s: refused again".formatted(id),
            "ERROR Outbox entry %s exceeded max retries, marked as FAILED".formatted(id),
            "INFO Successfully sent event RuleCreatedEvent for aggregate " + rule);
  }

  @SuppressWarnings("unchecked")
  private void append(RuleEvent event) {
    Transactions<ClientSession> transactions = application.bean(Transactions.class);
    transactions.run(session -> application.bean(RuleEvents.class).append(List.of(event)));
  }
}
