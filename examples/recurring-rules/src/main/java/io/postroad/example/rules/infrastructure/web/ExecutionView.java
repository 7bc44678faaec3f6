package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.domain.CashChangeId;
import io.postroad.example.rules.domain.Execution;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** An execution as clients see it. */
record ExecutionView(
    String status,
    ZonedDateTime executedAt,
    @Nullable String generatedCashChangeId,
    @Nullable String errorMessage) {

  static ExecutionView of(Execution execution) {
    @Nullable CashChangeId generated = execution.generatedCashChangeId();
    return new ExecutionView(
        execution.status().name(),
        execution.executedAt(),
        generated == null ? null : generated.id(),
        execution.errorMessage());
  }
}
