package io.postroad.example.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.example.payment.application.port.in.ApprovePaymentCommand;
import io.postroad.example.payment.application.port.in.ApprovePaymentUseCase;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxPublisher;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxService;
import io.postroad.outbox.OutboxSignal;
import io.postroad.spi.OutboxStore;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From HTTP to the table and to Kafka. */
class ApprovePaymentTest {
  private final RunningApplication application = RunningApplication.shared();

  @Test
  void anApprovedPaymentIsStoredAndPublished() throws Exception {
    HttpResponse<String> response = application.approve("paid-1", "ada");
    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(response.body()).contains("\"status\":\"APPROVED\"");
    String id = application.eventOf("paid-1");
    var delivered =
        application.await(
            OutboxSignal.Delivered.class, each -> each.message().id().toString().equals(id));
    assertThat(delivered.receipt()).containsKeys("partition", "offset");

    ConsumerRecord<String, String> event =
        RunningApplication.received("payment.approved", "paid-1", 1).get(0);
    assertThat(event.key()).isEqualTo("ada");
    assertThat(RunningApplication.header(event, "event-type")).isEqualTo("PAYMENT_APPROVED");
    assertThat(RunningApplication.header(event, "event-id")).isEqualTo(id);
    JsonNode payload = JsonMapper.shared().readTree(event.value());
    assertThat(payload.propertyNames())
        .containsExactly(
            "eventId", "paymentId", "userId", "amount", "currency", "status", "occurredAt");

    Map<String, Object> row =
        application.jdbc().queryForMap("SELECT * FROM outbox_event WHERE aggregate_id = 'paid-1'");
    assertThat(row)
        .containsEntry("aggregate_type", "PAYMENT")
        .containsEntry("event_type", "PAYMENT_APPROVED")
        .containsEntry("topic", "payment.approved")
        .containsEntry("partition_key", "ada")
        .containsEntry("status", "PUBLISHED")
        .containsEntry("retry_count", 0)
        .containsEntry("version", 1);
    assertThat(row.get("published_at")).isNotNull();
  }

  @Test
  void eventsOfAUserArriveInTheOrderOfTheirCreation() throws Exception {
    for (int i = 0; i < 10; i++) {
      assertThat(application.approve("ordered-" + i, "bob").statusCode()).isEqualTo(201);
    }
    assertThat(RunningApplication.received("payment.approved", "\"userId\":\"bob\"", 10))
        .extracting(each -> JsonMapper.shared().readTree(each.value()).path("paymentId").asString())
        .containsExactlyElementsOf(IntStream.range(0, 10).mapToObj(i -> "ordered-" + i).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"userId":"u","amount":1,"currency":"BRL"}                          | paymentId | is missing
          {"paymentId":" ","userId":"u","amount":1,"currency":"BRL"}          | paymentId | is missing
          {"paymentId":"1234567890123456789012345678901234567","userId":"u","amount":1,"currency":"BRL"} | paymentId | at most 36
          {"paymentId":"bad","amount":1,"currency":"BRL"}                     | userId    | is missing
          {"paymentId":"bad","userId":"u","currency":"BRL"}                   | amount    | is missing
          {"paymentId":"bad","userId":"u","amount":-1,"currency":"BRL"}       | amount    | must be positive
          {"paymentId":"bad","userId":"u","amount":0.00001,"currency":"BRL"}  | amount    | digits
          {"paymentId":"bad","userId":"u","amount":1e2147483647,"currency":"BRL"}     | amount | digits
          {"paymentId":"bad","userId":"u","amount":10e2147483647,"currency":"BRL"}    | amount | digits
          {"paymentId":"bad","userId":"u","amount":1e-2147483647,"currency":"BRL"}    | amount | digits
          {"paymentId":"bad","userId":"u","amount":1000000000000000,"currency":"BRL"} | amount | digits
          {"paymentId":"b\\u0000d","userId":"u","amount":1,"currency":"BRL"}   | paymentId | control
          {"paymentId":"b\\ud800d","userId":"u","amount":1,"currency":"BRL"}   | paymentId | surrogate
          {"paymentId":"bad","userId":"u\\udc00","amount":1,"currency":"BRL"}  | userId    | surrogate
          {"paymentId":"bad","userId":"u","amount":1,"currency":"\\ud800"}     | currency  | three capital letters
          {"paymentId":"bad","userId":"u","amount":"much","currency":"BRL"}   | amount    | cannot be read
          {"paymentId":"bad","userId":"u","amount":1,"currency":"Real"}       | currency  | three capital letters
          nonsense                                                            | body      | JSON
          """)
  void badInputIsAProblemWithFieldAndReasonAndNothingIsStored(
      String body, String field, String reason) throws Exception {
    long payments = count("payment");
    long events = count("outbox_event");

    HttpResponse<String> response = application.post("/payments/approve", body);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.headers().firstValue("Content-Type"))
        .get()
        .asString()
        .contains("application/problem+json");
    JsonNode problem = JsonMapper.shared().readTree(response.body());
    assertThat(problem.path("field").asString()).isEqualTo(field);
    assertThat(problem.path("reason").asString()).contains(reason);
    assertThat(count("payment")).isEqualTo(payments);
    assertThat(count("outbox_event")).isEqualTo(events);
  }

  @Test
  void aSecondApprovalIsRefusedAndNotPublished() throws Exception {
    assertThat(application.approve("twice", "eve").statusCode()).isEqualTo(201);
    HttpResponse<String> second = application.approve("twice", "eve");

    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.body()).contains("\"field\":\"paymentId\"");
    assertThat(count("outbox_event WHERE aggregate_id = 'twice'")).isEqualTo(1);
  }

  @Test
  void oneOfManyConcurrentApprovalsIsStoredAndPublishedAndTheOthersAreRefused() throws Exception {
    int clients = 8;
    CyclicBarrier together = new CyclicBarrier(clients);
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    List<Future<Integer>> answers = new ArrayList<>();
    try {
      for (int i = 0; i < clients; i++) {
        answers.add(
            threads.submit(
                () -> {
                  together.await();
                  return application.approve("contested", "eve").statusCode();
                }));
      }
      List<Integer> codes = new ArrayList<>();
      for (Future<Integer> answer : answers) {
        codes.add(answer.get());
      }
      assertThat(codes).containsExactlyInAnyOrder(201, 409, 409, 409, 409, 409, 409, 409);
    } finally {
      threads.shutdownNow();
    }
    assertThat(count("payment WHERE payment_id = 'contested'")).isEqualTo(1);
    assertThat(count("outbox_event WHERE aggregate_id = 'contested'")).isEqualTo(1);
  }

  @Test
  void aBodyWithoutTheJsonContentTypeIsRefused() throws Exception {
    HttpResponse<String> response =
        application.post("/payments/approve", "{}", Map.of("Content-Type", "text/plain"));

    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(response.body())
        .contains("\"field\":\"Content-Type\"", "\"reason\":\"must be application/json\"");
  }

  /** Refused before a change, because the answer could not be written. */
  @ParameterizedTest
  @ValueSource(strings = {"text/xml", "image/png", "nonsense"})
  void aClientThatDoesNotAcceptJsonIsRefusedAndNothingIsApproved(String accept) throws Exception {
    long payments = count("payment");
    long events = count("outbox_event");

    HttpResponse<String> response =
        application.post(
            "/payments/approve",
            "{\"paymentId\":\"unread\",\"userId\":\"eve\",\"amount\":1,\"currency\":\"BRL\"}",
            Map.of("Accept", accept));

    assertThat(count("payment")).isEqualTo(payments);
    assertThat(count("outbox_event")).isEqualTo(events);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(406);
    assertThat(response.headers().firstValue("Content-Type"))
        .get()
        .asString()
        .contains("application/problem+json");
    assertThat(response.body())
        .contains("\"field\":\"Accept\"", "\"reason\":\"must allow application/json\"");
  }

  /** A payment that the database refuses for another reason than its id does not exist. */
  @Test
  void onlyADuplicateIdIsReportedAsDuplicate() throws Exception {
    application
        .jdbc()
        .execute("ALTER TABLE payment ADD CONSTRAINT refused CHECK (user_id <> 'unwanted')");
    try {
      assertThat(application.approve("new", "unwanted").statusCode()).isEqualTo(500);
    } finally {
      application.jdbc().execute("ALTER TABLE payment DROP CONSTRAINT refused");
    }
    assertThat(application.approve("new", "unwanted").statusCode()).isEqualTo(201);
  }

  @Test
  void pendingEventsAreCounted() {
    TransactionTemplate snapshot =
        new TransactionTemplate(application.bean(PlatformTransactionManager.class));
    snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    snapshot.executeWithoutResult(
        status -> {
          OutboxPublisher publisher = application.bean(OutboxPublisher.class);
          long before = publisher.getPendingEventsCount();
          var unused =
              application
                  .bean(OutboxService.class)
                  .saveEvent("PAYMENT", "counted", "T", "payment.approved", "k", Map.of());
          assertThat(publisher.getPendingEventsCount()).isEqualTo(before + 1);
          status.setRollbackOnly();
        });
  }

  @Test
  void publishPendingEventsWakesTheRelay() throws Exception {
    CountDownLatch woken = new CountDownLatch(1);
    try (var unused = application.bean(OutboxStore.class).wakeUps().subscribe(woken::countDown)) {
      application.bean(OutboxPublisher.class).publishPendingEvents();
      assertThat(woken.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aRollbackLeavesNeitherPaymentNorEvent() {
    new TransactionTemplate(application.bean(PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> {
              application
                  .bean(ApprovePaymentUseCase.class)
                  .approvePayment(
                      new ApprovePaymentCommand("undone", "eve", BigDecimal.ONE, "BRL"));
              status.setRollbackOnly();
            });

    assertThat(count("payment WHERE payment_id = 'undone'")).isZero();
    assertThat(count("outbox_event WHERE aggregate_id = 'undone'")).isZero();
  }

  /** The database refuses the event after the payment was written. */
  @Test
  void aPaymentIsNotStoredIfItsEventCannotBeStored() throws Exception {
    application
        .jdbc()
        .execute(
            "ALTER TABLE outbox_event ADD CONSTRAINT refused CHECK (partition_key <> 'nobody')");
    try {
      assertThat(application.approve("half", "nobody").statusCode()).isEqualTo(500);
    } finally {
      application.jdbc().execute("ALTER TABLE outbox_event DROP CONSTRAINT refused");
    }
    assertThat(count("payment WHERE payment_id = 'half'")).isZero();
    assertThat(application.approve("half", "nobody").statusCode()).isEqualTo(201);
  }

  /** Appending checks the columns of the table before a write. */
  @Test
  void aValueThatDoesNotFitIntoItsColumnIsRefusedAtAppend() {
    OutboxService outbox = application.bean(OutboxService.class);
    assertThatThrownBy(
            () -> outbox.saveEvent("P".repeat(51), "a", "T", "payment.approved", "k", Map.of()))
        .hasMessageContaining("aggregate_type");
    assertThat(count("outbox_event WHERE event_type = 'T'")).isZero();
  }

  @Test
  void theTableHasTheIndexesOfTheSpecification() {
    assertThat(
            application
                .jdbc()
                .queryForList(
                    "SELECT indexdef FROM pg_indexes WHERE tablename = 'outbox_event'",
                    String.class))
        .contains(
            "CREATE INDEX idx_outbox_status_created ON public.outbox_event"
                + " USING btree (status, created_at)",
            "CREATE INDEX idx_outbox_aggregate ON public.outbox_event"
                + " USING btree (aggregate_type, aggregate_id)",
            "CREATE INDEX idx_outbox_failed ON public.outbox_event"
                + " USING btree (status, retry_count) WHERE ((status)::text = 'FAILED'::text)");
  }

  private long count(String from) {
    Long count = application.jdbc().queryForObject("SELECT count(*) FROM " + from, Long.class);
    return count == null ? 0 : count;
  }
}
