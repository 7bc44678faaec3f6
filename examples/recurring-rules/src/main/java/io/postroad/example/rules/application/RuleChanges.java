package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.RecurringRule;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.transaction.Transactions;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Changes one rule and appends its events, in one transaction.
 *
 * <p>Thread-safe. A change that conflicts with another change of the rule is repeated on the new
 * version, so it may be called more than once.
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
   * Changes a rule.
   *
   * @param expectedVersion the version that the rule must have; null for any
   * @throws StaleRuleException if it has another version
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

  /** Changes a rule and returns the result of the change. */
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
