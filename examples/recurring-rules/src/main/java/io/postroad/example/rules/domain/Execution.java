package io.postroad.example.rules.domain;

import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * How one date of a rule ended.
 *
 * @param generatedCashChangeId of a success
 * @param errorMessage of a failure
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
