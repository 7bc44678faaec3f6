package io.postroad.example.rules.infrastructure.mongodb;

import io.postroad.example.rules.application.RecurringRules;
import io.postroad.example.rules.domain.AmountChange;
import io.postroad.example.rules.domain.AmountChangeId;
import io.postroad.example.rules.domain.CashFlowId;
import io.postroad.example.rules.domain.CategoryName;
import io.postroad.example.rules.domain.Description;
import io.postroad.example.rules.domain.Execution;
import io.postroad.example.rules.domain.Name;
import io.postroad.example.rules.domain.PauseInfo;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.example.rules.domain.RecurringRuleSnapshot;
import io.postroad.example.rules.domain.RuleStatus;
import io.postroad.example.rules.domain.Type;
import io.postroad.example.rules.domain.UserId;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.TypeAlias;
import org.springframework.data.annotation.Version;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * A stored rule. Migrations create its indexes. It is inserted once and updated by field, never
 * saved as a whole, so that {@code idempotencyKey} is kept.
 *
 * @param dueFrom the first date that can be due; an addition to the specification
 * @param owed earlier dates that are still due; an addition to the specification
 * @param lastFailedAt the latest failure that was not recovered, for the index of failed
 *     executions; an addition to the specification
 * @param idempotencyRequest the fingerprint of the request with the key; an addition to the
 *     specification
 */
@Document(collection = RecurringRuleDocument.COLLECTION)
@TypeAlias("RecurringRule")
public record RecurringRuleDocument(
    @Id String id,
    String cashFlowId,
    String userId,
    String name,
    @Nullable String description,
    MoneyDocument baseAmount,
    String type,
    String categoryName,
    RecurrencePatternDocument recurrencePattern,
    LocalDate startDate,
    @Nullable LocalDate endDate,
    String status,
    @Nullable List<AmountChangeDocument> amountChanges,
    @Nullable Map<String, ExecutionDocument> executions,
    @Nullable PauseInfoDocument pauseInfo,
    @Nullable LocalDate dueFrom,
    @Nullable List<LocalDate> owed,
    @Nullable ZonedDateTime lastFailedAt,
    @Version @Nullable Long version,
    ZonedDateTime createdAt,
    ZonedDateTime lastModifiedAt,
    @Nullable String idempotencyKey,
    @Nullable String idempotencyRequest) {
  static final String COLLECTION = "recurring_rules";

  /** Converts a rule, without an idempotency key, which is no part of a rule. */
  static RecurringRuleDocument fromDomain(RecurringRuleSnapshot snapshot) {
    return fromDomain(snapshot, null);
  }

  static RecurringRuleDocument fromDomain(
      RecurringRuleSnapshot snapshot, RecurringRules.@Nullable RequestKey key) {
    @Nullable Description description = snapshot.description();
    @Nullable PauseInfo pause = snapshot.pauseInfo();
    return new RecurringRuleDocument(
        snapshot.ruleId().id(),
        snapshot.cashFlowId().id(),
        snapshot.userId().getId(),
        snapshot.name().value(),
        description == null ? null : description.value(),
        MoneyDocument.from(snapshot.baseAmount()),
        snapshot.type().name(),
        snapshot.categoryName().name(),
        RecurrencePatternDocument.from(snapshot.recurrencePattern()),
        snapshot.startDate(),
        snapshot.endDate(),
        snapshot.status().name(),
        snapshot.amountChanges().values().stream().map(AmountChangeDocument::from).toList(),
        executions(snapshot),
        pause == null ? null : PauseInfoDocument.from(pause),
        snapshot.dueFrom(),
        snapshot.owed().isEmpty() ? null : List.copyOf(snapshot.owed()),
        lastFailedAt(snapshot),
        snapshot.version(),
        snapshot.createdAt(),
        snapshot.lastModifiedAt(),
        key == null ? null : key.key(),
        key == null ? null : key.request());
  }

  private static Map<String, ExecutionDocument> executions(RecurringRuleSnapshot snapshot) {
    Map<String, ExecutionDocument> documents = new LinkedHashMap<>();
    snapshot
        .executions()
        .forEach((date, each) -> documents.put(date.toString(), ExecutionDocument.from(each)));
    return documents;
  }

  private static @Nullable ZonedDateTime lastFailedAt(RecurringRuleSnapshot snapshot) {
    return snapshot.executions().values().stream()
        .filter(Execution::isFailed)
        .map(Execution::executedAt)
        .max(ZonedDateTime::compareTo)
        .orElse(null);
  }

  RecurringRuleSnapshot toDomain() {
    return new RecurringRuleSnapshot(
        new RecurringRuleId(id),
        new CashFlowId(cashFlowId),
        UserId.of(userId),
        new Name(name),
        description == null ? null : new Description(description),
        baseAmount.toDomain(),
        Type.valueOf(type),
        new CategoryName(categoryName),
        recurrencePattern.toDomain(),
        startDate,
        endDate,
        RuleStatus.valueOf(status),
        changesToDomain(),
        executionsToDomain(),
        pauseInfo == null ? null : pauseInfo.toDomain(),
        dueFrom == null ? startDate : dueFrom,
        new TreeSet<>(Objects.requireNonNullElse(owed, List.<LocalDate>of())),
        Objects.requireNonNullElse(version, 0L),
        createdAt,
        lastModifiedAt);
  }

  private Map<AmountChangeId, AmountChange> changesToDomain() {
    Map<AmountChangeId, AmountChange> changes = new LinkedHashMap<>();
    for (AmountChangeDocument each :
        Objects.requireNonNullElse(amountChanges, List.<AmountChangeDocument>of())) {
      changes.put(new AmountChangeId(each.changeId()), each.toDomain());
    }
    return changes;
  }

  private SortedMap<LocalDate, Execution> executionsToDomain() {
    SortedMap<LocalDate, Execution> all = new TreeMap<>();
    if (executions != null) {
      executions.forEach((date, each) -> all.put(LocalDate.parse(date), each.toDomain()));
    }
    return all;
  }
}
