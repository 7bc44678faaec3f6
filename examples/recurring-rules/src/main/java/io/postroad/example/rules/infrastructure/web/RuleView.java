package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.domain.Description;
import io.postroad.example.rules.domain.Money;
import io.postroad.example.rules.domain.PauseInfo;
import io.postroad.example.rules.domain.RecurringRule;
import io.postroad.example.rules.domain.RecurringRuleSnapshot;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A rule as clients see it. */
record RuleView(
    String ruleId,
    String cashFlowId,
    String userId,
    String name,
    @Nullable String description,
    Money baseAmount,
    String type,
    String categoryName,
    Map<String, Object> recurrencePattern,
    LocalDate startDate,
    @Nullable LocalDate endDate,
    String status,
    @Nullable LocalDate nextDate,
    List<AmountChangeView> amountChanges,
    Map<String, ExecutionView> executions,
    @Nullable PauseInfo pauseInfo,
    long version,
    ZonedDateTime createdAt,
    ZonedDateTime lastModifiedAt) {

  static RuleView of(RecurringRule rule, LocalDate today) {
    RecurringRuleSnapshot snapshot = rule.snapshot();
    @Nullable Description description = snapshot.description();
    Map<String, ExecutionView> executions = new LinkedHashMap<>();
    snapshot
        .executions()
        .forEach((date, each) -> executions.put(date.toString(), ExecutionView.of(each)));
    return new RuleView(
        snapshot.ruleId().id(),
        snapshot.cashFlowId().id(),
        snapshot.userId().getId(),
        snapshot.name().value(),
        description == null ? null : description.value(),
        snapshot.baseAmount(),
        snapshot.type().name(),
        snapshot.categoryName().name(),
        snapshot.recurrencePattern().fields(),
        snapshot.startDate(),
        snapshot.endDate(),
        snapshot.status().name(),
        rule.nextDate(today).orElse(null),
        snapshot.amountChanges().values().stream().map(AmountChangeView::of).toList(),
        executions,
        snapshot.pauseInfo(),
        snapshot.version(),
        snapshot.createdAt(),
        snapshot.lastModifiedAt());
  }
}
