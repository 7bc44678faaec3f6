package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.CashChangeId;
import io.postroad.example.rules.domain.Execution;
import io.postroad.example.rules.domain.RecurringRule;
import io.postroad.example.rules.domain.RuleClock;
import io.postroad.store.Transactions;
import java.time.LocalDate;
import org.springframework.stereotype.Component;

/**
 * One date of one rule: ask the cash flow, then note how it ended and tell it, in one transaction.
 *
 * <p>Safe on many nodes at once. The cash flow generates once per rule and date, and a success is
 * noted and told once. A crash after it was generated leaves the date without a note: the next run
 * asks again and gets the same id.
 */
@Component
class RuleExecution {
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

  RunResult execute(RecurringRule rule, LocalDate date) {
    int before = rule.events().size();
    Execution execution = generate(rule, date);
    boolean noted =
        transactions.call(
            transaction -> {
              boolean first = rules.addExecution(rule.id(), date, execution);
              if (first) {
                events.append(rule.events().subList(before, rule.events().size()));
              }
              return first;
            });
    if (!noted) {
      return RunResult.NOTHING;
    }
    return execution.isFailed() ? RunResult.ONE_FAILED : RunResult.ONE_EXECUTED;
  }

  private Execution generate(RecurringRule rule, LocalDate date) {
    try {
      CashChangeId generated = cashFlow.generate(CashChange.of(rule, date));
      return rule.succeeded(date, generated, clock);
    } catch (CashFlowUnavailableException away) {
      return rule.failed(date, String.valueOf(away.getMessage()), clock);
    }
  }
}
