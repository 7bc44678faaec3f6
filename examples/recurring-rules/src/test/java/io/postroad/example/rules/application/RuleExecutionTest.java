package io.postroad.example.rules.application;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import io.postroad.example.rules.RunningApplication;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.example.rules.domain.RuleClock;
import io.postroad.transaction.Transactions;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes during a call of the cash flow service, which the test delays. */
class RuleExecutionTest {
  private static final String DAILY = "{\"type\":\"DAILY\"}";
  private static final LocalDate EIGHTH = LocalDate.parse("2028-01-08");

  @SuppressWarnings("NullAway.Init")
  private RunningApplication application;

  @SuppressWarnings("NullAway.Init")
  private CashFlowPort cashFlow;

  @BeforeEach
  void clear() {
    application = RunningApplication.cleared();
    cashFlow = application.bean(CashFlowPort.class);
  }

  @Test
  void aRuleThatIsPausedDuringARunIsNotExecuted() throws Exception {
    String id = application.create(DAILY, "2028-01-06", "");
    application.at("2028-01-08T06:00:00Z");
    RecurringRuleService service = application.bean(RecurringRuleService.class);
    RunResult result =
        run(change -> {
              var generated = cashFlow.generate(change);
              var paused = service.pause(new RecurringRuleId(id), null, null);
              assertThat(paused.dueDates(EIGHTH)).isEmpty();
              return generated;
            })
            .runOnce(EIGHTH);
    assertThat(result).isEqualTo(new RunResult(0, 1, 0, 0, 0));
    assertThat(changes(id)).hasSize(1);
    assertThat(dates(id)).as("the money was moved").containsExactly("2028-01-06");
  }

  @Test
  void aFailureIsNotRecordedInADeletedRule() throws Exception {
    String id = application.create(DAILY, "2028-01-06", "");
    application.at("2028-01-08T06:00:00Z");
    RecurringRuleService service = application.bean(RecurringRuleService.class);
    RunResult result =
        run(change -> {
              service.delete(new RecurringRuleId(id));
              throw new CashFlowUnavailableException("away");
            })
            .runOnce(EIGHTH);
    assertThat(result).isEqualTo(RunResult.NOTHING);
    assertThat(dates(id)).isEmpty();
    assertThat(application.eventTypes(id)).containsExactly("RuleCreatedEvent", "RuleDeletedEvent");
  }

  /** A driver may throw other errors than those of the port. */
  @Test
  void anyErrorOfTheCashFlowIsRecordedAndRecovered() throws Exception {
    String id = application.create(DAILY, "2028-01-06", "");
    application.at("2028-01-08T06:00:00Z");
    RunResult result =
        run(change -> {
              throw new MongoSocketReadException("reset", new ServerAddress());
            })
            .runOnce(EIGHTH);
    assertThat(result).isEqualTo(new RunResult(0, 0, 3, 0, 0));
    assertThat(changes(id)).isEmpty();
    assertThat(run(cashFlow).recoverOnce(1)).isEqualTo(new RunResult(0, 3, 0, 0, 0));
    assertThat(changes(id)).hasSize(3);
  }

  @Test
  void oneOfTwoNodesWithConcurrentFailuresPublishesIt() throws Exception {
    String id = application.create(DAILY, "2028-01-08", "");
    CyclicBarrier together = new CyclicBarrier(2);
    CashFlowPort away =
        change -> {
          awaitOther(together);
          throw new CashFlowUnavailableException("away");
        };
    List<RunResult> results = onTwoNodes(away);
    assertThat(results.stream().mapToInt(RunResult::failed).sum()).isEqualTo(1);
    assertThat(results).extracting(RunResult::skipped).containsOnly(0);
    assertThat(application.eventTypes(id))
        .containsExactlyInAnyOrder("RuleCreatedEvent", "RuleExecutionFailedEvent");
  }

  @Test
  void oneOfTwoNodesWithDifferentClocksExecutesADate() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ids.add(application.create(DAILY, "2028-01-06", ""));
    }
    List<RunResult> results = onTwoNodes(cashFlow);
    assertThat(results.stream().mapToInt(RunResult::executed).sum()).isEqualTo(9);
    assertThat(results).extracting(RunResult::skipped).containsOnly(0);
    for (String id : ids) {
      assertThat(changes(id)).hasSize(3);
      assertThat(application.eventTypes(id)).hasSize(4);
    }
  }

  private static void awaitOther(CyclicBarrier together) {
    try {
      var unused = together.await(60, TimeUnit.SECONDS);
    } catch (Exception alone) {
      throw new IllegalStateException("the other node did not come", alone);
    }
  }

  private List<RunResult> onTwoNodes(CashFlowPort port) {
    Instant six = Instant.parse("2028-01-08T06:00:00Z");
    AtomicLong ticks = new AtomicLong();
    InstantSource time = () -> six.plusMillis(ticks.incrementAndGet());
    List<CompletableFuture<RunResult>> nodes = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      ExecutionRun run = run(port, new RuleClock(time));
      nodes.add(CompletableFuture.supplyAsync(() -> run.runOnce(EIGHTH), RuleExecutionTest::start));
    }
    return nodes.stream().map(CompletableFuture::join).toList();
  }

  private static void start(Runnable work) {
    new Thread(work, "node").start();
  }

  private ExecutionRun run(CashFlowPort port) {
    return run(port, application.bean(RuleClock.class));
  }

  /** Creates another node with the same database. */
  private ExecutionRun run(CashFlowPort port, RuleClock clock) {
    RecurringRules rules = application.bean(RecurringRules.class);
    RuleEvents events = application.bean(RuleEvents.class);
    Transactions<?> transactions = application.bean(Transactions.class);
    return new ExecutionRun(
        rules,
        new RuleChanges(transactions, rules, events),
        new RuleExecution(port, rules, events, transactions, clock),
        clock);
  }

  private Set<String> dates(String ruleId) {
    return Objects.requireNonNull(application.rule(ruleId).get("executions", Document.class))
        .keySet();
  }

  private List<Document> changes(String ruleId) {
    return application
        .collection("cash_changes")
        .find(new Document("ruleId", ruleId))
        .sort(new Document("date", 1))
        .into(new ArrayList<>());
  }
}
