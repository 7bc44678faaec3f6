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
 * The rules that are stored. Each call joins the transaction that the thread is in.
 *
 * <p>One that cannot be read is an {@link UnreadableRuleException} for who asks for it. Runs get
 * ids, so that such a rule does not stop the others.
 */
public interface RecurringRules {

  /**
   * @throws IdempotencyKeyTakenException when a rule has this key; the transaction is lost
   */
  void insert(RecurringRule rule, @Nullable RequestKey key);

  /**
   * Stores it over the version that it was loaded as.
   *
   * @throws StaleRuleException when another one is stored
   */
  void update(RecurringRule rule);

  /**
   * Notes how a date ended, unless a success is noted for it; whatever version is stored. A success
   * is noted in any status, because the money has been moved; a failure in an active rule only.
   *
   * @return whether it was noted
   */
  boolean addExecution(RecurringRuleId rule, LocalDate date, Execution execution);

  Optional<RecurringRule> find(RecurringRuleId rule);

  Optional<Keyed> findByIdempotencyKey(String key);

  /** One page of the rules of a cash flow in these statuses, the newest first. */
  RulePage list(CashFlowId cashFlow, List<RuleStatus> statuses, int page, int size);

  /** Rules of a category that are not deleted. */
  List<RecurringRule> findByCategory(CashFlowId cashFlow, CategoryName category);

  long countActive(UserId user);

  /** Active rules without an execution on this date, by id after another one. */
  List<RecurringRuleId> findRulesForExecution(
      LocalDate date, @Nullable RecurringRuleId after, int limit);

  /** Active rules whose last day was before this date. */
  List<RecurringRuleId> findEndedRules(LocalDate date, @Nullable RecurringRuleId after, int limit);

  /** Paused rules that are to be resumed on this date or before. */
  List<RecurringRuleId> findRulesToResume(
      LocalDate date, @Nullable RecurringRuleId after, int limit);

  /** Active rules of which a date failed in the last hours. */
  List<RecurringRuleId> findRulesWithFailedExecutions(int hoursBack);

  /**
   * Which request created a rule.
   *
   * @param request the same for the same request
   */
  record RequestKey(String key, String request) {}

  /**
   * A rule that a key has created.
   *
   * @param request that did it; null if it was not noted
   */
  record Keyed(RecurringRule rule, @Nullable String request) {}

  /**
   * A part of a list.
   *
   * @param total how long the list is
   */
  record RulePage(List<RecurringRule> rules, int page, int size, long total) {}
}
