package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.Execution;
import io.postroad.example.rules.domain.RecurringRule;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.example.rules.domain.RuleClock;
import io.postroad.transaction.Transactions;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Executes one date of one rule: calls the cash flow service, then records and publishes the result
 * in one transaction.
 *
 * <p>Several nodes may run it at once. The cash flow service generates once per rule and date, and
 * a success is recorded and published once. After a crash between the two, the next run calls the
 * service again and gets the same id.
 */
@Component
class RuleExecution {
  private static final Logger LOG = LoggerFactory.getLogger(RuleExecution.class);

  private final CashFlowPort cashFlow;
  private final RecurringRules rules;
  private final RuleEvents events;
  private final Transactions<?> transactions;
  private final RuleClock clock;

  RuleExecution(
      CashFlowPort cashFlow,
      RecurringRules rules,
      RuleEvents events,
      Transactions<?> transactions,
      RuleClock clock) {
    this.cashFlow = cashFlow;
    this.rules = rules;
    this.events = events;
    this.transactions = transactions;
    this.clock = clock;
  }

  /**
   * Loads the rule again: since the start of the run it may have been paused, deleted or changed,
   * or another node may have tried this date.
   */
  RunResult execute(RecurringRuleId id, LocalDate date, Instant began) {
    Optional<RecurringRule> due = findDue(id, date, began);
    return due.isPresent() ? execute(due.get(), date, began) : RunResult.NOTHING;
  }

  private Optional<RecurringRule> findDue(RecurringRuleId id, LocalDate date, Instant began) {
    return rules
        .find(id)
        .filter(each -> each.isDue(date))
        .filter(each -> !each.failedDates(began.plusMillis(1)).contains(date));
  }

  private RunResult execute(RecurringRule rule, LocalDate date, Instant began) {
    Execution execution = generate(rule, date);
    boolean noted =
        transactions.call(
            transaction -> {
              // If several nodes fail at once, one publishes it.
              if (execution.isFailed() && findDue(rule.id(), date, began).isEmpty()) {
                return false;
              }
              boolean first = rules.addExecution(rule.id(), date, execution);
              if (first) {
                events.append(rule.events());
              }
              return first;
            });
    if (!noted) {
      return RunResult.NOTHING;
    }
    return execution.isFailed() ? RunResult.ONE_FAILED : RunResult.ONE_EXECUTED;
  }

  /**
   * Calls the cash flow service. Every failure is recorded and retried, because the service returns
   * the same result again.
   */
  private Execution generate(RecurringRule rule, LocalDate date) {
    Generated generated;
    try {
      generated = cashFlow.generate(CashChange.of(rule, date));
    } catch (CashFlowUnavailableException away) {
      return rule.failed(date, String.valueOf(away.getMessage()), clock);
    } catch (RuntimeException failed) {
      LOG.warn("recurring-rules rule={} date={} failed", rule.id().id(), date, failed);
      return rule.failed(date, failed.toString(), clock);
    }
    return rule.succeeded(date, generated.id(), generated.amount(), clock);
  }
}
