package io.postroad.example.rules.domain;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An event of a rule, in plain fields, as it is published. */
public sealed interface RuleEvent {

  String ruleId();

  /**
   * Returns the time in UTC with microseconds, so that it sorts as text; it differs for all events
   * of one rule and kind.
   */
  String occurredAt();

  /** Returns the kind, for example {@code RuleCreatedEvent}. */
  default String eventType() {
    return getClass().getSimpleName();
  }

  record RuleCreatedEvent(
      String ruleId,
      String cashFlowId,
      String userId,
      String name,
      @Nullable String description,
      Money amount,
      Type type,
      String categoryName,
      Map<String, Object> recurrencePattern,
      LocalDate startDate,
      @Nullable LocalDate endDate,
      Instant createdAt,
      String occurredAt)
      implements RuleEvent {}

  record RuleUpdatedEvent(
      String ruleId,
      String name,
      @Nullable String description,
      Money amount,
      String categoryName,
      Map<String, Object> recurrencePattern,
      @Nullable LocalDate endDate,
      String occurredAt)
      implements RuleEvent {}

  record AmountChangeAddedEvent(
      String ruleId,
      String changeId,
      LocalDate effectiveDate,
      AmountChangeType type,
      Money newAmount,
      @Nullable String reason,
      String occurredAt)
      implements RuleEvent {}

  record AmountChangeRemovedEvent(String ruleId, String changeId, String occurredAt)
      implements RuleEvent {}

  record RulePausedEvent(
      String ruleId,
      @Nullable String reason,
      @Nullable LocalDate scheduledResumeDate,
      String occurredAt)
      implements RuleEvent {}

  record RuleResumedEvent(String ruleId, LocalDate dueFrom, String occurredAt)
      implements RuleEvent {}

  record RuleCategoryRenamedEvent(
      String ruleId, String oldCategoryName, String newCategoryName, String occurredAt)
      implements RuleEvent {}

  record RuleCategoryRemovedEvent(
      String ruleId, String oldCategoryName, String newCategoryName, String occurredAt)
      implements RuleEvent {}

  record RuleExecutedEvent(
      String ruleId, LocalDate date, Money amount, String generatedCashChangeId, String occurredAt)
      implements RuleEvent {}

  record RuleExecutionFailedEvent(
      String ruleId, LocalDate date, String errorMessage, String occurredAt) implements RuleEvent {}

  record RuleCompletedEvent(String ruleId, String occurredAt) implements RuleEvent {}

  record RuleDeletedEvent(String ruleId, String occurredAt) implements RuleEvent {}
}
