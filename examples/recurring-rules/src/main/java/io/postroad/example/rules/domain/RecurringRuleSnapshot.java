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
 * A rule as it stands, to be stored or shown. Immutable.
 *
 * @param version how often it was changed; what it is stored over
 * @param dueFrom dates before this one are not made up for: the start, or the end of a pause
 * @param owed the dates before that one which were due then, and are made up for all the same
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
