package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.RecurringRule;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.example.rules.domain.RuleClock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The daily run: resumes rules after their pause, executes all dates up to a day that were not
 * tried yet or failed on an earlier day, and completes rules without further dates.
 *
 * <p>Several nodes may run it, also again after a crash: it continues with dates that have no
 * recorded result. If a rule causes an error or cannot be read, the next run tries it again.
 */
@Component
public class ExecutionRun {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutionRun.class);
  private static final int PAGE = 100;

  private final RecurringRules rules;
  private final RuleChanges changes;
  private final RuleExecution execution;
  private final RuleClock clock;

  ExecutionRun(
      RecurringRules rules, RuleChanges changes, RuleExecution execution, RuleClock clock) {
    this.rules = rules;
    this.changes = changes;
    this.execution = execution;
    this.clock = clock;
  }

  public RunResult runOnce(LocalDate date) {
    Instant began = clock.now().toInstant();
    RunResult result =
        each((after, limit) -> rules.findRulesToResume(date, after, limit), id -> resume(id, date))
            .plus(
                each(
                    (after, limit) -> rules.findRulesForExecution(date, after, limit),
                    id -> execute(id, date, began)))
            .plus(
                each(
                    (after, limit) -> rules.findEndedRules(date, after, limit),
                    id -> execute(id, date, began)));
    if (!result.equals(RunResult.NOTHING)) {
      LOG.info("recurring-rules run date={} {}", date, result);
    }
    return result;
  }

  /** Tries dates again that failed in the last hours. */
  public RunResult recoverOnce(int hoursBack) {
    Instant began = clock.now().toInstant();
    RunResult result = RunResult.NOTHING;
    for (RecurringRuleId id : rules.findRulesWithFailedExecutions(hoursBack)) {
      result = result.plus(guarded(id, each -> recover(each, hoursBack, began)));
    }
    if (!result.equals(RunResult.NOTHING)) {
      LOG.info("recurring-rules recovery hoursBack={} {}", hoursBack, result);
    }
    return result;
  }

  private RunResult resume(RecurringRuleId id, LocalDate date) {
    boolean resumed = changes.changeIf(id, each -> each.resumeIfScheduled(date, clock));
    return resumed ? RunResult.ONE_RESUMED : RunResult.NOTHING;
  }

  private RunResult execute(RecurringRuleId id, LocalDate date, Instant began) {
    RecurringRule rule = get(id);
    return executeAll(rule, rule.dueDates(date), began).plus(complete(rule, date));
  }

  private RunResult recover(RecurringRuleId id, int hoursBack, Instant began) {
    RecurringRule rule = get(id);
    List<LocalDate> failed = rule.failedDates(clock.now().minusHours(hoursBack).toInstant());
    return executeAll(rule, failed, began).plus(complete(rule, clock.today()));
  }

  private RunResult executeAll(RecurringRule rule, List<LocalDate> dates, Instant began) {
    RunResult result = RunResult.NOTHING;
    for (LocalDate date : dates) {
      result = result.plus(execution.execute(rule.id(), date, began));
    }
    return result;
  }

  /** Checks the loaded rule first, because most rules are not complete. */
  private RunResult complete(RecurringRule rule, LocalDate date) {
    if (rule.nextDate(date).isPresent()) {
      return RunResult.NOTHING;
    }
    boolean completed = changes.changeIf(rule.id(), each -> each.completeIfOver(date, clock));
    return completed ? RunResult.ONE_COMPLETED : RunResult.NOTHING;
  }

  private RecurringRule get(RecurringRuleId id) {
    return rules.find(id).orElseThrow(() -> new NotFoundException("ruleId", id.id()));
  }

  private RunResult each(Pages pages, Function<RecurringRuleId, RunResult> work) {
    RunResult result = RunResult.NOTHING;
    @Nullable RecurringRuleId last = null;
    List<RecurringRuleId> page;
    do {
      page = pages.after(last, PAGE);
      for (RecurringRuleId id : page) {
        result = result.plus(guarded(id, work));
        last = id;
      }
    } while (page.size() == PAGE);
    return result;
  }

  private static RunResult guarded(RecurringRuleId id, Function<RecurringRuleId, RunResult> work) {
    try {
      return work.apply(id);
    } catch (RuntimeException failed) {
      LOG.error("recurring-rules rule={} is left for the next run", id.id(), failed);
      return RunResult.ONE_SKIPPED;
    }
  }

  /** A list that is read in pages. */
  private interface Pages {
    List<RecurringRuleId> after(@Nullable RecurringRuleId last, int limit);
  }
}
