package io.postroad.example.rules.domain;

import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The result of one date of a rule.
 *
 * @param generatedCashChangeId set for a success
 * @param errorMessage set for a failure
 */
public record Execution(
    ExecutionStatus status,
    ZonedDateTime executedAt,
    @Nullable CashChangeId generatedCashChangeId,
    @Nullable String errorMessage) {

  public boolean isFailed() {
    return status == ExecutionStatus.FAILED;
  }
}
