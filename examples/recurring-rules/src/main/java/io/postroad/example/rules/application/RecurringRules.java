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

/** The rules that are stored. Each call joins the transaction that the thread is in. */
public interface RecurringRules {

  /**
   * @throws IdempotencyKeyTakenException when a rule has this key; the transaction is lost
   */
  void insert(RecurringRule rule, @Nullable String idempotencyKey);

  /**
   * Stores it over the version that it was loaded as.
   *
   * @throws StaleRuleException when another one is stored
   */
  void update(RecurringRule rule);

  /**
   * Notes how a date ended, unless a success is noted for it; whatever version is stored.
   *
   * @return whether it was noted
   */
  boolean addExecution(RecurringRuleId rule, LocalDate date, Execution execution);

  Optional<RecurringRule> find(RecurringRuleId rule);

  Optional<RecurringRule> findByIdempotencyKey(String key);

  /** One page of the rules of a cash flow in these statuses, the newest first. */
  RulePage list(CashFlowId cashFlow, List<RuleStatus> statuses, int page, int size);

  /** Rules of a category that are not deleted. */
  List<RecurringRule> findByCategory(CashFlowId cashFlow, CategoryName category);

  long countActive(UserId user);

  /** Active rules without an execution on this date, by id after another one. */
  List<RecurringRule> findRulesForExecution(
      LocalDate date, @Nullable RecurringRuleId after, int limit);

  /** Active rules whose last day was before this date. */
  List<RecurringRule> findEndedRules(LocalDate date, @Nullable RecurringRuleId after, int limit);

  /** Paused rules that are to be resumed on this date or before. */
  List<RecurringRule> findRulesToResume(LocalDate date, @Nullable RecurringRuleId after, int limit);

  /** Active rules of which a date failed in the last hours. */
  List<RecurringRule> findRulesWithFailedExecutions(int hoursBack);

  /**
   * A part of a list.
   *
   * @param total how long the list is
   */
  record RulePage(List<RecurringRule> rules, int page, int size, long total) {}
}
