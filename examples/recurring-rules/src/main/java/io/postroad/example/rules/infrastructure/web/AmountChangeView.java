package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.domain.AmountChange;
import io.postroad.example.rules.domain.Money;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** An amount change as clients see it. */
record AmountChangeView(
    String changeId,
    LocalDate effectiveDate,
    String type,
    Money newAmount,
    @Nullable String reason,
    ZonedDateTime createdAt) {

  static AmountChangeView of(AmountChange change) {
    return new AmountChangeView(
        change.changeId().id(),
        change.effectiveDate(),
        change.type().name(),
        change.newAmount(),
        change.reason(),
        change.createdAt());
  }
}
