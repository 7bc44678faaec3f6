package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.RecurringRule;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.transaction.Transactions;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * One change of one rule with its events, in one transaction: all of it or nothing.
 *
 * <p>Safe to use from many threads. A change that meets another one of the same rule is made again
 * over what that one left, so it must be fit to be called more than once.
 */
@Component
class RuleChanges {
  private final Transactions<?> transactions;
  private final RecurringRules rules;
  private final RuleEvents events;

  RuleChanges(Transactions<?> transactions, RecurringRules rules, RuleEvents events) {
    this.transactions = transactions;
    this.rules = rules;
    this.events = events;
  }

  void insert(RecurringRule rule, RecurringRules.@Nullable RequestKey key) {
    transactions.run(
        transaction -> {
          rules.insert(rule, key);
          events.append(rule.events());
        });
  }

  /**
   * @param expectedVersion that the rule must have; null for any
   * @throws StaleRuleException when it has another
   */
  RecurringRule change(
      RecurringRuleId id, @Nullable Long expectedVersion, Consumer<RecurringRule> change) {
    return transactions.call(
        transaction -> {
          RecurringRule rule = get(id);
          if (expectedVersion != null && rule.version() != expectedVersion) {
            throw new StaleRuleException(
                "rule %s has version %d, not %d"
                    .formatted(id.id(), rule.version(), expectedVersion));
          }
          change.accept(rule);
          store(rule);
          return get(id);
        });
  }

  /** Returns what the change does. */
  boolean changeIf(RecurringRuleId id, Predicate<RecurringRule> change) {
    return transactions.call(
        transaction -> {
          RecurringRule rule = get(id);
          boolean changed = change.test(rule);
          if (changed) {
            store(rule);
          }
          return changed;
        });
  }

  private void store(RecurringRule rule) {
    rules.update(rule);
    events.append(rule.events());
  }

  private RecurringRule get(RecurringRuleId id) {
    return rules.find(id).orElseThrow(() -> new NotFoundException("ruleId", id.id()));
  }
}
