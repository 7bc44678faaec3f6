package io.postroad.example.rules.domain;

import java.time.LocalDate;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** Replaces the amount of a rule, once or from a date on. */
public record AmountChange(
    AmountChangeId changeId,
    LocalDate effectiveDate,
    AmountChangeType type,
    Money newAmount,
    @Nullable String reason,
    ZonedDateTime createdAt) {
  private static final int MAX_REASON = 500;

  public AmountChange {
    reason = CheckedText.optional("reason", reason, MAX_REASON);
  }
}
