package io.postroad.example.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.Updates;
import io.postroad.example.rules.application.CashChange;
import io.postroad.example.rules.application.CashFlowPort;
import io.postroad.example.rules.application.ExecutionRun;
import io.postroad.example.rules.application.Generated;
import io.postroad.example.rules.application.RecurringRules;
import io.postroad.example.rules.application.RunResult;
import io.postroad.example.rules.application.StaleRuleException;
import io.postroad.example.rules.domain.Execution;
import io.postroad.example.rules.domain.ExecutionStatus;
import io.postroad.example.rules.domain.Money;
import io.postroad.example.rules.domain.RecurringRule;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.example.rules.domain.RuleClock;
import io.postroad.example.rules.infrastructure.cashflow.CashFlowAvailability;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The daily run and the recovery, on a real server. */
class ExecutionRunTest {
  private static final String DAILY = "{\"type\":\"DAILY\"}";
  private static final String MONTHLY = "{\"type\":\"MONTHLY\",\"dayOfMonth\":10}";

  @SuppressWarnings("NullAway.Init")
  private RunningApplication application;

  @SuppressWarnings("NullAway.Init")
  private ExecutionRun run;

  @BeforeEach
  void clear() {
    application = RunningApplication.cleared();
    run = application.bean(ExecutionRun.class);
  }

  @Test
  void dueDatesAreGeneratedOnceInRepeatedRuns() throws Exception {
    String id = application.create(MONTHLY, "2028-01-10", "");
    assertThat(runAt("2028-01-09")).isEqualTo(result(0, 0, 0, 0));
    assertThat(runAt("2028-01-10")).isEqualTo(result(0, 1, 0, 0));
    assertThat(runAt("2028-01-10")).isEqualTo(result(0, 0, 0, 0));
    assertThat(runAt("2028-01-11")).isEqualTo(result(0, 0, 0, 0));

    Document change = changes(id).get(0);
    assertThat(changes(id)).hasSize(1);
    assertThat(change.getDate("date").toInstant()).hasToString("2028-01-10T00:00:00Z");
    assertThat(change.get("amount", Document.class).get("amount"))
        .isEqualTo(Decimal128.parse("8500.00"));
    Document noted = execution(id, "2028-01-10");
    assertThat(noted.getString("status")).isEqualTo("SUCCESS");
    assertThat(noted.getString("generatedCashChangeId")).isEqualTo(change.getString("_id"));
    assertThat(noted.getDate("executedAt").toInstant()).hasToString("2028-01-10T06:00:00Z");
    assertThat(application.eventTypes(id)).containsExactly("RuleCreatedEvent", "RuleExecutedEvent");
  }

  @Test
  void missedDaysAreExecutedWithTheirAmounts() throws Exception {
    String id = application.create(DAILY, "2028-01-06", "");
    assertThat(
            application
                .post(
                    "/recurring-rules/" + id + "/amount-changes",
                    "{\"effectiveDate\":\"2028-01-07\",\"type\":\"ONE_TIME\","
                        + "\"newAmount\":{\"amount\":1,\"currency\":\"PLN\"}}")
                .statusCode())
        .isEqualTo(201);
    assertThat(runAt("2028-01-08")).isEqualTo(result(0, 3, 0, 0));
    assertThat(changes(id))
        .extracting(each -> String.valueOf(each.get("amount", Document.class).get("amount")))
        .containsExactly("8500.00", "1.00", "8500.00");
  }

  @Test
  void aRuleThatEndedDuringADowntimeIsExecutedAndCompleted() throws Exception {
    String id = application.create(DAILY, "2028-01-06", "\"endDate\":\"2028-01-07\"");
    assertThat(runAt("2028-02-01")).isEqualTo(result(0, 2, 0, 1));
    assertThat(application.rule(id).getString("status")).isEqualTo("COMPLETED");
    assertThat(runAt("2028-02-02")).isEqualTo(result(0, 0, 0, 0));
    assertThat(application.eventTypes(id)).last().isEqualTo("RuleCompletedEvent");
  }

  @Test
  void concurrentRunsExecuteAndPublishEachDateOnce() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(application.create(DAILY, "2028-01-06", "\"endDate\":\"2028-01-08\""));
    }
    application.at("2028-01-08T06:00:00Z");
    List<RunResult> results = atOnce(4, () -> run.runOnce(LocalDate.parse("2028-01-08")));
    assertThat(results.stream().mapToInt(RunResult::executed).sum()).isEqualTo(15);
    assertThat(results.stream().mapToInt(RunResult::completed).sum()).isEqualTo(5);
    assertThat(results).extracting(RunResult::skipped).containsOnly(0);
    for (String id : ids) {
      assertThat(changes(id)).hasSize(3);
      assertThat(application.eventTypes(id))
          .containsExactlyInAnyOrder(
              "RuleCreatedEvent",
              "RuleExecutedEvent",
              "RuleExecutedEvent",
              "RuleExecutedEvent",
              "RuleCompletedEvent");
      Set<String> noted = new HashSet<>();
      application
          .rule(id)
          .get("executions", Document.class)
          .values()
          .forEach(each -> noted.add(((Document) each).getString("generatedCashChangeId")));
      assertThat(changes(id))
          .extracting(each -> each.getString("_id"))
          .containsExactlyInAnyOrderElementsOf(noted);
    }
  }

  @Test
  void aFailureIsRecordedPublishedAndRecovered() throws Exception {
    String id = application.create(DAILY, "2028-01-06", "\"endDate\":\"2028-01-07\"");
    application.bean(CashFlowAvailability.class).setAvailable(false);
    assertThat(runAt("2028-01-07")).isEqualTo(result(0, 0, 2, 0));
    assertThat(runAt("2028-01-07"))
        .as("failures of today are left to the recovery")
        .isEqualTo(result(0, 0, 0, 0));
    Document noted = execution(id, "2028-01-06");
    assertThat(noted.getString("status")).isEqualTo("FAILED");
    assertThat(noted.getString("errorMessage")).isEqualTo("CashFlow service unavailable");
    assertThat(changes(id)).isEmpty();

    application.at("2028-01-07T06:30:00Z");
    assertThat(run.recoverOnce(72)).isEqualTo(result(0, 0, 2, 0));
    application.bean(CashFlowAvailability.class).setAvailable(true);
    application.at("2028-01-12T06:30:00Z");
    assertThat(run.recoverOnce(72)).as("it failed longer ago").isEqualTo(result(0, 0, 0, 0));
    assertThat(run.recoverOnce(200)).isEqualTo(result(0, 2, 0, 1));
    assertThat(run.recoverOnce(200)).isEqualTo(result(0, 0, 0, 0));

    assertThat(changes(id)).hasSize(2);
    assertThat(execution(id, "2028-01-06").getString("status")).isEqualTo("SUCCESS");
    assertThat(application.rule(id).get("lastFailedAt")).isNull();
    assertThat(application.rule(id).getString("status")).isEqualTo("COMPLETED");
    assertThat(application.eventTypes(id))
        .containsExactly(
            "RuleCreatedEvent",
            "RuleExecutionFailedEvent",
            "RuleExecutionFailedEvent",
            "RuleExecutionFailedEvent",
            "RuleExecutionFailedEvent",
            "RuleExecutedEvent",
            "RuleExecutedEvent",
            "RuleCompletedEvent");
  }

  /** Longer ago than the recovery considers. */
  @Test
  void aDateThatFailedBeforeALongPauseIsExecutedAfterIt() throws Exception {
    String id = application.create(MONTHLY, "2028-01-10", "");
    application.bean(CashFlowAvailability.class).setAvailable(false);
    assertThat(runAt("2028-01-10")).isEqualTo(result(0, 0, 1, 0));
    application.bean(CashFlowAvailability.class).setAvailable(true);
    assertThat(application.post("/recurring-rules/" + id + "/pause", "{}").statusCode())
        .isEqualTo(200);
    application.at("2028-01-20T10:00:00Z");
    assertThat(application.post("/recurring-rules/" + id + "/resume", "").statusCode())
        .isEqualTo(200);
    assertThat(run.recoverOnce(72)).isEqualTo(result(0, 0, 0, 0));
    assertThat(runAt("2028-01-21")).isEqualTo(result(0, 1, 0, 0));
    assertThat(execution(id, "2028-01-10").getString("status")).isEqualTo("SUCCESS");
  }

  /** The state after a crash between the cash flow service and the record. */
  @Test
  void aGeneratedCashChangeWithoutARecordIsNotRepeatedAndPublishedUnchanged() throws Exception {
    String id = application.create(DAILY, "2028-01-06", "");
    RecurringRule rule = load(id);
    LocalDate date = LocalDate.parse("2028-01-06");
    Generated before =
        application
            .bean(CashFlowPort.class)
            .generate(
                new CashChange(
                    rule.id(),
                    date,
                    rule.origin().cashFlowId(),
                    rule.terms().name(),
                    Money.of(new BigDecimal("7000"), "PLN"),
                    rule.origin().type(),
                    rule.terms().categoryName()));
    assertThat(runAt("2028-01-06")).isEqualTo(result(0, 1, 0, 0));
    assertThat(changes(id)).hasSize(1);
    assertThat(execution(id, "2028-01-06").getString("generatedCashChangeId"))
        .isEqualTo(before.id().id());
    Document told = application.events(id).get(1).get("payload", Document.class);
    assertThat(told.get("amount", Document.class).get("amount"))
        .as("the rule says 8500 by now")
        .isEqualTo(Decimal128.parse("7000.00"));
  }

  @Test
  void aSuccessIsNeverOverwritten() throws Exception {
    String id = application.create(DAILY, "2028-01-06", "");
    assertThat(runAt("2028-01-06")).isEqualTo(result(0, 1, 0, 0));
    Execution late =
        new Execution(
            ExecutionStatus.FAILED, application.bean(RuleClock.class).now(), null, "$late");
    RecurringRules rules = application.bean(RecurringRules.class);
    LocalDate noted = LocalDate.parse("2028-01-06");
    assertThat(rules.addExecution(new RecurringRuleId(id), noted, late)).isFalse();
    assertThat(execution(id, "2028-01-06").getString("status")).isEqualTo("SUCCESS");

    assertThat(rules.addExecution(new RecurringRuleId(id), noted.plusDays(1), late)).isTrue();
    assertThat(execution(id, "2028-01-07").getString("errorMessage")).isEqualTo("$late");
  }

  /**
   * Without a new version, the update would overwrite the executions with those that it has read.
   */
  @Test
  void anUpdateThatHasNotSeenAnExecutionIsRefused() throws Exception {
    String id = application.create(DAILY, "2028-01-06", "");
    RecurringRule read = load(id);
    assertThat(runAt("2028-01-06")).isEqualTo(result(0, 1, 0, 0));
    read.pause(null, null, application.bean(RuleClock.class));
    assertThatThrownBy(() -> application.bean(RecurringRules.class).update(read))
        .isInstanceOf(StaleRuleException.class);
    assertThat(execution(id, "2028-01-06").getString("status")).isEqualTo("SUCCESS");
  }

  @Test
  void aPauseEndsOnItsDayAndItsDatesAreNotExecuted() throws Exception {
    String id = application.create(DAILY, "2028-01-06", "");
    assertThat(
            application
                .post(
                    "/recurring-rules/" + id + "/pause", "{\"scheduledResumeDate\":\"2028-01-10\"}")
                .statusCode())
        .isEqualTo(200);
    assertThat(runAt("2028-01-09")).isEqualTo(result(0, 0, 0, 0));
    assertThat(runAt("2028-01-11")).as("no run on the tenth").isEqualTo(result(1, 2, 0, 0));
    assertThat(application.rule(id).get("executions", Document.class).keySet())
        .containsExactlyInAnyOrder("2028-01-10", "2028-01-11");
    assertThat(application.rule(id).get("pauseInfo")).isNull();
  }

  @Test
  void dueDatesBeforeAPauseAreExecutedAfterIt() throws Exception {
    String id = application.create(DAILY, "2028-01-02", "");
    for (String change : List.of("pause", "resume")) {
      assertThat(application.post("/recurring-rules/" + id + "/" + change, "{}").statusCode())
          .isEqualTo(200);
    }
    assertThat(application.rule(id).getList("owed", Date.class))
        .extracting(each -> each.toInstant().toString())
        .containsExactly("2028-01-02T00:00:00Z", "2028-01-03T00:00:00Z", "2028-01-04T00:00:00Z");
    assertThat(runAt("2028-01-06")).isEqualTo(result(0, 5, 0, 0));
    assertThat(runAt("2028-01-07")).isEqualTo(result(0, 1, 0, 0));
    assertThat(changes(id)).hasSize(6);
  }

  @Test
  void anAmountThatWouldNeverApplyIsRefused() throws Exception {
    String id = application.create(DAILY, "2028-01-06", "");
    assertThat(runAt("2028-01-06")).isEqualTo(result(0, 1, 0, 0));
    String changes = "/recurring-rules/" + id + "/amount-changes";
    String change =
        "{\"effectiveDate\":\"2028-01-06\",\"type\":\"%s\","
            + "\"newAmount\":{\"amount\":1,\"currency\":\"PLN\"}}";
    assertThat(application.post(changes, change.formatted("ONE_TIME")))
        .satisfies(
            refused -> {
              assertThat(refused.statusCode()).isEqualTo(400);
              assertThat(refused.body()).contains("was executed already");
            });
    assertThat(application.post(changes, change.formatted("PERMANENT")).statusCode())
        .isEqualTo(201);
    String terms =
        "{\"version\":2,\"name\":\"Coffee\",\"baseAmount\":{\"amount\":%s,\"currency\":\"PLN\"},"
            + "\"categoryName\":\"Food\",\"recurrencePattern\":{\"type\":\"DAILY\"}}";
    assertThat(application.put("/recurring-rules/" + id, terms.formatted("9000")))
        .satisfies(
            refused -> {
              assertThat(refused.statusCode()).isEqualTo(400);
              assertThat(refused.body()).contains("baseAmount", "does not hold any more");
            });
    assertThat(application.put("/recurring-rules/" + id, terms.formatted("8500")).statusCode())
        .isEqualTo(200);
  }

  @Test
  void deletedRulesAreNotExecuted() throws Exception {
    String id = application.create(DAILY, "2028-01-06", "");
    assertThat(application.delete("/recurring-rules/" + id).statusCode()).isEqualTo(204);
    assertThat(runAt("2028-01-08")).isEqualTo(result(0, 0, 0, 0));
    assertThat(changes(id)).isEmpty();
  }

  /** More than one page, and an unreadable rule in the middle. */
  @Test
  void anUnreadableRuleIsSkippedAndTheOthersAreExecuted() throws Exception {
    String first = application.create(DAILY, "2028-01-06", "");
    Document template = application.rule(first);
    List<Document> more = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      more.add(new Document(template).append("_id", "RR2%07d".formatted(i)));
    }
    // The validator accepts it, the domain does not.
    more.get(50).append("description", "");
    application.rules().insertMany(more);
    assertThat(runAt("2028-01-06")).isEqualTo(new RunResult(0, 120, 0, 0, 1));
    assertThat(application.get("/recurring-rules/RR20000050").statusCode())
        .as("not an error of the client")
        .isEqualTo(500);
    application
        .rules()
        .updateOne(new Document("_id", "RR20000050"), Updates.set("description", "readable"));
    assertThat(runAt("2028-01-06")).isEqualTo(result(0, 1, 0, 0));
  }

  private RunResult runAt(String date) {
    application.at(date + "T06:00:00Z");
    return run.runOnce(LocalDate.parse(date));
  }

  private static RunResult result(int resumed, int executed, int failed, int completed) {
    return new RunResult(resumed, executed, failed, completed, 0);
  }

  private RecurringRule load(String id) {
    return application.bean(RecurringRules.class).find(new RecurringRuleId(id)).orElseThrow();
  }

  private List<Document> changes(String ruleId) {
    return application
        .collection("cash_changes")
        .find(new Document("ruleId", ruleId))
        .sort(new Document("date", 1))
        .into(new ArrayList<>());
  }

  private Document execution(String ruleId, String date) {
    return application.rule(ruleId).get("executions", Document.class).get(date, Document.class);
  }

  private interface Work<R> {
    R call() throws Exception;
  }

  private static <R> List<R> atOnce(int threads, Work<R> work) throws Exception {
    CyclicBarrier together = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<R>> pending = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        pending.add(
            pool.submit(
                () -> {
                  together.await();
                  return work.call();
                }));
      }
      List<R> results = new ArrayList<>();
      for (Future<R> each : pending) {
        results.add(each.get());
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }
}
