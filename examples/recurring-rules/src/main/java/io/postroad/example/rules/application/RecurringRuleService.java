package io.postroad.example.rules.application;

import io.postroad.example.rules.application.RecurringRules.Keyed;
import io.postroad.example.rules.application.RecurringRules.RequestKey;
import io.postroad.example.rules.application.RecurringRules.RulePage;
import io.postroad.example.rules.domain.AmountChange;
import io.postroad.example.rules.domain.AmountChangeId;
import io.postroad.example.rules.domain.AmountChangeType;
import io.postroad.example.rules.domain.CashFlowId;
import io.postroad.example.rules.domain.CategoryName;
import io.postroad.example.rules.domain.Money;
import io.postroad.example.rules.domain.RecurringRule;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.example.rules.domain.RuleClock;
import io.postroad.example.rules.domain.RuleStatus;
import io.postroad.example.rules.domain.RuleTerms;
import io.postroad.example.rules.domain.UserId;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Creates and changes rules. Thread-safe; each change runs in its own transaction or joins the
 * caller's.
 */
@Service
public class RecurringRuleService {
  private final RecurringRules rules;
  private final RuleChanges changes;
  private final RuleIds ids;
  private final RuleClock clock;

  RecurringRuleService(RecurringRules rules, RuleChanges changes, RuleIds ids, RuleClock clock) {
    this.rules = rules;
    this.changes = changes;
    this.ids = ids;
    this.clock = clock;
  }

  /**
   * Creates a rule, or returns the rule that the key created before.
   *
   * @throws IdempotencyKeyTakenException if the key created a different rule
   */
  public Created create(CreateRule wanted) {
    @Nullable String key = wanted.idempotencyKey();
    if (key != null) {
      var before = rules.findByIdempotencyKey(key);
      if (before.isPresent()) {
        return repeated(before.get(), wanted);
      }
    }
    RecurringRule rule =
        RecurringRule.create(ids.nextRule(), wanted.origin(), wanted.terms(), clock);
    try {
      changes.insert(rule, key == null ? null : new RequestKey(key, wanted.fingerprint()));
      return new Created(rule, true);
    } catch (IdempotencyKeyTakenException taken) {
      // A concurrent request created it; its transaction has committed.
      return repeated(
          rules.findByIdempotencyKey(String.valueOf(key)).orElseThrow(() -> taken), wanted);
    }
  }

  /**
   * Returns the earlier rule. A rule without a recorded request may have been changed since, so
   * only its origin is compared.
   */
  private static Created repeated(Keyed before, CreateRule wanted) {
    RecurringRule rule = before.rule();
    @Nullable String request = before.request();
    boolean same =
        request == null
            ? rule.origin().equals(wanted.origin())
            : request.equals(wanted.fingerprint());
    if (!same) {
      throw new IdempotencyKeyTakenException("the key was used for rule " + rule.id().id());
    }
    return new Created(rule, false);
  }

  public RecurringRule get(RecurringRuleId id) {
    return rules.find(id).orElseThrow(() -> new NotFoundException("ruleId", id.id()));
  }

  public RulePage list(CashFlowId cashFlow, List<RuleStatus> statuses, int page, int size) {
    return rules.list(cashFlow, statuses, page, size);
  }

  public long countActive(UserId user) {
    return rules.countActive(user);
  }

  /**
   * Changes the terms of a rule.
   *
   * @throws StaleRuleException if the rule has another version
   */
  public RecurringRule update(RecurringRuleId id, RuleTerms terms, @Nullable Long version) {
    return changes.change(id, version, rule -> rule.update(terms, clock));
  }

  public RecurringRule changeAmount(
      RecurringRuleId id,
      LocalDate effectiveDate,
      AmountChangeType type,
      Money newAmount,
      @Nullable String reason) {
    AmountChange change =
        new AmountChange(
            ids.nextAmountChange(), effectiveDate, type, newAmount, reason, clock.now());
    return changes.change(id, null, rule -> rule.changeAmount(change, clock));
  }

  public RecurringRule removeAmountChange(RecurringRuleId id, AmountChangeId change) {
    return changes.change(
        id,
        null,
        rule -> {
          if (!rule.removeAmountChange(change, clock)) {
            throw new NotFoundException("changeId", change.id());
          }
        });
  }

  public RecurringRule pause(
      RecurringRuleId id, @Nullable String reason, @Nullable LocalDate scheduledResumeDate) {
    return changes.change(id, null, rule -> rule.pause(reason, scheduledResumeDate, clock));
  }

  public RecurringRule resume(RecurringRuleId id) {
    return changes.change(id, null, rule -> rule.resume(clock));
  }

  public void delete(RecurringRuleId id) {
    var unused = changes.change(id, null, rule -> rule.delete(clock));
  }

  /**
   * Renames a category, each rule in its own transaction; repeat the call after a crash. Returns
   * the number of rules.
   */
  public int renameCategory(CashFlowId cashFlow, CategoryName from, CategoryName to) {
    int changed = 0;
    for (RecurringRule each : from.equals(to) ? List.<RecurringRule>of() : in(cashFlow, from)) {
      changed += changes.changeIf(each.id(), rule -> rename(rule, from, to)) ? 1 : 0;
    }
    return changed;
  }

  /**
   * Moves the rules of a category to {@link CategoryName#UNCATEGORIZED}, each in its own
   * transaction. Returns the number of rules.
   */
  public int removeCategory(CashFlowId cashFlow, CategoryName category) {
    if (category.equals(CategoryName.UNCATEGORIZED)) {
      return 0;
    }
    int changed = 0;
    for (RecurringRule each : in(cashFlow, category)) {
      changed += changes.changeIf(each.id(), rule -> uncategorize(rule, category)) ? 1 : 0;
    }
    return changed;
  }

  private List<RecurringRule> in(CashFlowId cashFlow, CategoryName category) {
    return rules.findByCategory(cashFlow, category);
  }

  private boolean rename(RecurringRule rule, CategoryName from, CategoryName to) {
    boolean still = isStillIn(rule, from);
    if (still) {
      rule.renameCategory(to, clock);
    }
    return still;
  }

  private boolean uncategorize(RecurringRule rule, CategoryName category) {
    boolean still = isStillIn(rule, category);
    if (still) {
      rule.removeCategory(clock);
    }
    return still;
  }

  private static boolean isStillIn(RecurringRule rule, CategoryName category) {
    return rule.terms().categoryName().equals(category)
        && rule.snapshot().status() != RuleStatus.DELETED;
  }
}
