package io.postroad.example.rules.infrastructure.mongodb;

import io.postroad.example.rules.domain.AmountChange;
import io.postroad.example.rules.domain.AmountChangeId;
import io.postroad.example.rules.domain.AmountChangeType;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** A stored amount change. */
public record AmountChangeDocument(
    String changeId,
    LocalDate effectiveDate,
    String type,
    MoneyDocument newAmount,
    @Nullable String reason,
    ZonedDateTime createdAt) {

  static AmountChangeDocument from(AmountChange change) {
    return new AmountChangeDocument(
        change.changeId().id(),
        change.effectiveDate(),
        change.type().name(),
        MoneyDocument.from(change.newAmount()),
        change.reason(),
        change.createdAt());
  }

  AmountChange toDomain() {
    return new AmountChange(
        new AmountChangeId(changeId),
        effectiveDate,
        AmountChangeType.valueOf(type),
        newAmount.toDomain(),
        reason,
        createdAt);
  }
}
