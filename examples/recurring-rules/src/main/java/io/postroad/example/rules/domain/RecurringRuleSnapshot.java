package io.postroad.example.rules.domain;

import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The state of a rule, for storing and showing. Immutable.
 *
 * @param version the number of changes; an update replaces this version
 * @param dueFrom the first date that can be due: the start, or the end of a pause
 * @param owed earlier dates that were due then and still are
 */
public record RecurringRuleSnapshot(
    RecurringRuleId ruleId,
    CashFlowId cashFlowId,
    UserId userId,
    Name name,
    @Nullable Description description,
    Money baseAmount,
    Type type,
    CategoryName categoryName,
    RecurrencePattern recurrencePattern,
    LocalDate startDate,
    @Nullable LocalDate endDate,
    RuleStatus status,
    Map<AmountChangeId, AmountChange> amountChanges,
    SortedMap<LocalDate, Execution> executions,
    @Nullable PauseInfo pauseInfo,
    LocalDate dueFrom,
    SortedSet<LocalDate> owed,
    long version,
    ZonedDateTime createdAt,
    ZonedDateTime lastModifiedAt) {

  public RecurringRuleSnapshot {
    amountChanges = Collections.unmodifiableMap(new LinkedHashMap<>(amountChanges));
    executions = Collections.unmodifiableSortedMap(new TreeMap<>(executions));
    owed = Collections.unmodifiableSortedSet(new TreeSet<>(owed));
  }
}
