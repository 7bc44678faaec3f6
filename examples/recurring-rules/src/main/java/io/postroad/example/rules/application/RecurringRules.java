package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.CashFlowId;
import io.postroad.example.rules.domain.CategoryName;
import io.postroad.example.rules.domain.Execution;
import io.postroad.example.rules.domain.RecurringRule;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.example.rules.domain.RuleStatus;
import io.postroad.example.rules.domain.UserId;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The stored rules. Each call joins the transaction of the thread.
 *
 * <p>A rule that cannot be read causes an {@link UnreadableRuleException} for the caller that loads
 * it. Runs load ids, so that such a rule does not stop the others.
 */
public interface RecurringRules {

  /**
   * Stores a new rule.
   *
   * @throws IdempotencyKeyTakenException if a rule has this key; the transaction can only roll back
   */
  void insert(RecurringRule rule, @Nullable RequestKey key);

  /**
   * Stores a rule over the version that was loaded.
   *
   * @throws StaleRuleException if another version is stored
   */
  void update(RecurringRule rule);

  /**
   * Records the result of a date, unless a success is recorded, for any stored version. A success
   * is recorded in any status, because the money was moved; a failure only in an active rule.
   *
   * @return whether it was recorded
   */
  boolean addExecution(RecurringRuleId rule, LocalDate date, Execution execution);

  Optional<RecurringRule> find(RecurringRuleId rule);

  Optional<Keyed> findByIdempotencyKey(String key);

  /** Returns a page of the rules of a cash flow in these statuses, the newest first. */
  RulePage list(CashFlowId cashFlow, List<RuleStatus> statuses, int page, int size);

  /** Returns the rules of a category, without deleted ones. */
  List<RecurringRule> findByCategory(CashFlowId cashFlow, CategoryName category);

  long countActive(UserId user);

  /** Returns active rules without an execution on a date, by id after another one. */
  List<RecurringRuleId> findRulesForExecution(
      LocalDate date, @Nullable RecurringRuleId after, int limit);

  /** Returns active rules that ended before a date. */
  List<RecurringRuleId> findEndedRules(LocalDate date, @Nullable RecurringRuleId after, int limit);

  /** Returns paused rules to resume on a date or earlier. */
  List<RecurringRuleId> findRulesToResume(
      LocalDate date, @Nullable RecurringRuleId after, int limit);

  /** Returns active rules with a failed date in the last hours. */
  List<RecurringRuleId> findRulesWithFailedExecutions(int hoursBack);

  /**
   * The request that created a rule.
   *
   * @param request the fingerprint of the request
   */
  record RequestKey(String key, String request) {}

  /**
   * A rule with the request of its key.
   *
   * @param request the fingerprint of the request; null if it was not recorded
   */
  record Keyed(RecurringRule rule, @Nullable String request) {}

  /**
   * A page of a list.
   *
   * @param total the length of the list
   */
  record RulePage(List<RecurringRule> rules, int page, int size, long total) {}
}
