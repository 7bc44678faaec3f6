package io.postroad.example.rules.infrastructure.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ExplainVerbosity;
import com.mongodb.MongoWriteException;
import io.postroad.example.rules.RunningApplication;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Query;

/** The stored form in MongoDB: types, validator, indexes, and the index of each query. */
class StoredFormTest {
  private static final String MONTHLY =
      "{\"type\":\"MONTHLY\",\"dayOfMonth\":10,\"adjustForMonthEnd\":false}";

  @SuppressWarnings("NullAway.Init")
  private RunningApplication application;

  @BeforeEach
  void clear() {
    application = RunningApplication.cleared();
  }

  @Test
  void aRuleHasTheFieldsAndTypesOfTheSpecification() throws Exception {
    String id = application.create(MONTHLY, "2028-01-10", "\"idempotencyKey\":\"form-1\"");
    Document rule = application.rule(id);
    assertThat(rule)
        .containsEntry("_id", id)
        .containsEntry("cashFlowId", "CF10000001")
        .containsEntry("userId", "U10000001")
        .containsEntry("name", "Wynagrodzenie")
        .containsEntry("description", "Pensja miesięczna")
        .containsEntry(
            "baseAmount",
            new Document("amount", Decimal128.parse("8500.00")).append("currency", "PLN"))
        .containsEntry("type", "INFLOW")
        .containsEntry("categoryName", "Salary")
        .containsEntry(
            "recurrencePattern",
            new Document("type", "MONTHLY")
                .append("dayOfMonth", 10)
                .append("intervalMonths", 1)
                .append("adjustForMonthEnd", false))
        .containsEntry("startDate", date("2028-01-10T00:00:00Z"))
        .containsEntry("status", "ACTIVE")
        .containsEntry("amountChanges", List.of())
        .containsEntry("executions", new Document())
        .containsEntry("version", 0L)
        .containsEntry("createdAt", date("2028-01-05T10:30:00Z"))
        .containsEntry("lastModifiedAt", date("2028-01-05T10:30:00Z"))
        .containsEntry("idempotencyKey", "form-1")
        .containsEntry("_class", "RecurringRule");
  }

  @Test
  void anUpdateWritesTheSameFormAsAnInsert() throws Exception {
    String id = application.create(MONTHLY, "2028-01-10", "");
    String path = "/recurring-rules/" + id;
    assertThat(
            application
                .post(
                    path + "/amount-changes",
                    "{\"effectiveDate\":\"2028-06-10\",\"type\":\"ONE_TIME\",\"reason\":\"Premia"
                        + " roczna\",\"newAmount\":{\"amount\":18500,\"currency\":\"PLN\"}}")
                .statusCode())
        .isEqualTo(201);
    assertThat(
            application
                .post(
                    path + "/pause",
                    "{\"reason\":\"Urlop\",\"scheduledResumeDate\":\"2028-04-01\"}")
                .statusCode())
        .isEqualTo(200);
    Document rule = application.rule(id);
    Document change = rule.getList("amountChanges", Document.class).get(0);
    assertThat(change)
        .isEqualTo(
            new Document("changeId", change.getString("changeId"))
                .append("effectiveDate", date("2028-06-10T00:00:00Z"))
                .append("type", "ONE_TIME")
                .append(
                    "newAmount",
                    new Document("amount", Decimal128.parse("18500.00")).append("currency", "PLN"))
                .append("reason", "Premia roczna")
                .append("createdAt", date("2028-01-05T10:30:00Z")));
    assertThat(rule.get("pauseInfo"))
        .isEqualTo(
            new Document("reason", "Urlop")
                .append("pausedAt", date("2028-01-05T10:30:00Z"))
                .append("scheduledResumeDate", date("2028-04-01T00:00:00Z")));
    assertThat(rule.getLong("version")).isEqualTo(2L);
    assertThat(rule.get("baseAmount"))
        .isEqualTo(new Document("amount", Decimal128.parse("8500.00")).append("currency", "PLN"));
  }

  /** Zones in which midnight is another day than in UTC, on either side. */
  @ParameterizedTest
  @CsvSource({"Asia/Tokyo", "America/Los_Angeles", "Pacific/Kiritimati"})
  void datesAreStoredInUtcInAnyZone(String zone) throws Exception {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      String id = application.create(MONTHLY, "2028-01-10", "\"endDate\":\"2028-12-31\"");
      Document rule = application.rule(id);
      assertThat(rule.getDate("startDate")).isEqualTo(date("2028-01-10T00:00:00Z"));
      assertThat(rule.getDate("endDate")).isEqualTo(date("2028-12-31T00:00:00Z"));
      assertThat(rule.getDate("createdAt")).isEqualTo(date("2028-01-05T10:30:00Z"));
      RecurringRuleCustomRepository custom = application.bean(RecurringRuleCustomRepository.class);
      assertThat(custom.findRulesForExecution(LocalDate.parse("2028-01-09"))).isEmpty();
      assertThat(custom.findRulesForExecution(LocalDate.parse("2028-01-10")))
          .singleElement()
          .satisfies(
              found -> {
                assertThat(found.startDate()).isEqualTo("2028-01-10");
                assertThat(found.createdAt()).isEqualTo("2028-01-05T10:30:00Z");
              });
      assertThat(custom.findRulesForExecution(LocalDate.parse("2028-12-31"))).hasSize(1);
      assertThat(custom.findRulesForExecution(LocalDate.parse("2029-01-01"))).isEmpty();
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          _id               | "R10000001"
          cashFlowId        | "10000001"
          userId            | "X1"
          name              | ""
          description       | 7
          baseAmount        | {"amount": "8500.00", "currency": "PLN"}
          baseAmount        | {"amount": {"$numberDecimal": "1"}, "currency": "zl"}
          type              | "SIDEWAYS"
          categoryName      | null
          recurrencePattern | {"type": "HOURLY"}
          startDate         | "2028-01-10"
          endDate           | "2028-01-10"
          status            | "GONE"
          amountChanges     | [{"changeId": "AC1"}]
          executions        | []
          version           | 1
          version           | {"$numberLong": "-1"}
          """)
  void theValidatorRefusesInvalidRules(String field, String json) throws Exception {
    Document rule = application.rule(application.create(MONTHLY, "2028-01-10", ""));
    rule.append("_id", "RR99999998");
    application.rules().insertOne(rule);
    Document bad = Document.parse("{\"value\": %s}".formatted(json));
    rule.append("_id", "RR99999999").append(field, bad.get("value"));
    assertThatThrownBy(() -> application.rules().insertOne(rule))
        .isInstanceOf(MongoWriteException.class)
        .hasMessageContaining("Document failed validation");
  }

  @Test
  void theIndexesAreThoseOfTheSpecification() {
    Map<String, Document> indexes = indexes("recurring_rules");
    assertThat(indexes.keySet())
        .containsExactlyInAnyOrder(
            "_id_",
            "idx_recurring_rules_cashflow_status_created",
            "idx_recurring_rules_active_pattern",
            "idx_recurring_rules_status_id",
            "idx_recurring_rules_category",
            "idx_recurring_rules_user_status",
            "idx_recurring_rules_idempotency",
            "idx_recurring_rules_failed_executions",
            "idx_recurring_rules_deleted_ttl");
    assertThat(there(indexes, "idx_recurring_rules_idempotency"))
        .containsEntry("unique", true)
        .containsEntry("sparse", true);
    assertThat(there(indexes, "idx_recurring_rules_deleted_ttl"))
        .containsEntry("expireAfterSeconds", 7776000)
        .containsEntry("partialFilterExpression", new Document("status", "DELETED"));
    assertThat(there(indexes, "idx_recurring_rules_active_pattern"))
        .containsEntry("partialFilterExpression", new Document("status", "ACTIVE"));
    Map<String, Document> outbox = indexes("outbox");
    assertThat(outbox.keySet())
        .contains(
            "idx_outbox_pending",
            "idx_outbox_retry",
            "idx_outbox_sent_ttl",
            "idx_outbox_unique_event");
    assertThat(there(outbox, "idx_outbox_sent_ttl")).containsEntry("expireAfterSeconds", 604800);
    assertThat(there(outbox, "idx_outbox_pending"))
        .containsEntry(
            "partialFilterExpression",
            new Document("status", new Document("$in", List.of("PENDING", "FAILED"))));
    assertThat(there(indexes("cash_changes"), "idx_cash_changes_rule_date"))
        .containsEntry("unique", true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"cashFlowId": "CF1", "status": "ACTIVE"} | {"createdAt": -1} | idx_recurring_rules_cashflow_status_created
          {"cashFlowId": "CF1", "status": {"$in": ["ACTIVE", "PAUSED"]}} | {"createdAt": -1} | idx_recurring_rules_cashflow_status_created
          {"cashFlowId": "CF1", "categoryName": "Salary", "status": {"$ne": "DELETED"}} | {} | idx_recurring_rules_category
          {"userId": "U1", "status": "ACTIVE"} | {} | idx_recurring_rules_user_status
          {"idempotencyKey": "k"} | {} | idx_recurring_rules_idempotency
          {"status": "ACTIVE", "lastFailedAt": {"$gte": {"$date": "2028-01-01T00:00:00Z"}}} | {} | idx_recurring_rules_failed_executions
          """)
  void eachQueryHasItsIndexAndNoneSortsInMemory(String filter, String sort, String index)
      throws Exception {
    insertOthers();
    assertThat(plan(Document.parse(filter), Document.parse(sort)))
        .contains("\"" + index + "\"")
        .doesNotContain("\"SORT\"");
  }

  /** Explains the real queries; for pages after the first, ids are enough here. */
  @Test
  void theQueriesOfTheRunReadTheRulesOfAStatusInOrder() throws Exception {
    insertOthers();
    // By id alone, each page would read them again.
    Document rule = application.rule("RR20000001");
    application
        .rules()
        .insertMany(
            IntStream.range(0, 300)
                .mapToObj(
                    i ->
                        new Document(rule)
                            .append("_id", "RR0%07d".formatted(i))
                            .append("status", "DELETED"))
                .toList());
    LocalDate date = LocalDate.parse("2028-01-10");
    for (@Nullable String after : Arrays.asList(null, "RR20000007")) {
      for (Query query :
          List.of(
              RecurringRuleCustomRepository.rulesForExecution(date),
              RecurringRuleCustomRepository.endedRules(date),
              RecurringRuleCustomRepository.rulesToResume(date))) {
        Query part = RecurringRuleCustomRepository.part(query, after, 100);
        String plan = plan(part.getQueryObject(), part.getSortObject());
        assertThat(plan).doesNotContain("\"SORT\"");
        if (after == null) {
          assertThat(plan).contains("\"idx_recurring_rules_status_id\"");
        }
      }
    }
  }

  private void insertOthers() throws Exception {
    Document rule = application.rule(application.create(MONTHLY, "2028-01-10", ""));
    // Enough rules of one cash flow for the planner to see a difference.
    List<Document> others =
        IntStream.range(0, 100)
            .mapToObj(
                i ->
                    new Document(rule)
                        .append("_id", "RR2%07d".formatted(i))
                        .append("cashFlowId", "CF1")
                        .append("categoryName", i == 0 ? "Salary" : "Other"))
            .toList();
    application.rules().insertMany(others);
  }

  private String plan(Document filter, Document sort) {
    Document plan =
        application.rules().find(filter).sort(sort).explain(ExplainVerbosity.QUERY_PLANNER);
    return plan.get("queryPlanner", Document.class).get("winningPlan", Document.class).toJson();
  }

  @Test
  void theQueryForExecutionExcludesRulesThatAreNotDueOrExecuted() throws Exception {
    String due = application.create(MONTHLY, "2028-01-10", "");
    String future = application.create(MONTHLY, "2028-01-11", "");
    String ended = application.create(MONTHLY, "2028-01-05", "\"endDate\":\"2028-01-10\"");
    String paused = application.create(MONTHLY, "2028-01-10", "");
    assertThat(application.post("/recurring-rules/" + paused + "/pause", "{}").statusCode())
        .isEqualTo(200);
    RecurringRuleCustomRepository custom = application.bean(RecurringRuleCustomRepository.class);
    LocalDate date = LocalDate.parse("2028-01-10");
    assertThat(custom.findRulesForExecution(date))
        .extracting(RecurringRuleDocument::id)
        .containsExactlyInAnyOrder(due, ended);
    assertThat(custom.findRulesForExecution(date, due, 10)).containsExactly(ended);
    assertThat(custom.findEndedRules(LocalDate.parse("2028-01-11"), null, 10))
        .containsExactly(ended);
    assertThat(future).isNotEqualTo(due);
  }

  @Test
  void derivedQueriesReturnTheirRules() throws Exception {
    String id = application.create(MONTHLY, "2028-01-10", "\"idempotencyKey\":\"named\"");
    RecurringRuleMongoRepository repository = application.bean(RecurringRuleMongoRepository.class);
    assertThat(repository.findByCashFlowIdAndStatus("CF10000001", "ACTIVE"))
        .extracting(RecurringRuleDocument::id)
        .containsExactly(id);
    assertThat(repository.findByCashFlowIdAndStatus("CF10000001", "PAUSED", PageRequest.of(0, 10)))
        .isEmpty();
    assertThat(
            repository.findByCashFlowIdAndStatusIn(
                "CF10000001", List.of("ACTIVE", "PAUSED"), PageRequest.of(0, 10)))
        .hasSize(1);
    assertThat(
            repository.findByCashFlowIdAndCategoryNameAndStatusNot(
                "CF10000001", "Salary", "DELETED"))
        .hasSize(1);
    assertThat(
            repository.findByCashFlowIdAndCategoryNameAndStatusNot(
                "CF10000001", "Salary", "ACTIVE"))
        .isEmpty();
    assertThat(repository.findByIdempotencyKey("named")).isPresent();
    assertThat(repository.countByUserIdAndStatus("U10000001", "ACTIVE")).isEqualTo(1);
  }

  private Map<String, Document> indexes(String collection) {
    Map<String, Document> byName = new HashMap<>();
    application
        .bean(MongoTemplate.class)
        .getCollection(collection)
        .listIndexes()
        .forEach(index -> byName.put(index.getString("name"), index));
    return byName;
  }

  private static Document there(Map<String, Document> indexes, String name) {
    Document index = indexes.get(name);
    if (index == null) {
      throw new AssertionError("there is no index " + name);
    }
    return index;
  }

  private static Date date(String instant) {
    return Date.from(Instant.parse(instant));
  }
}
