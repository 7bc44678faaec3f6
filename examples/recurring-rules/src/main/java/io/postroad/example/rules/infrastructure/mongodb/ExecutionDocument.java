package io.postroad.example.rules.infrastructure.mongodb;

import io.postroad.example.rules.domain.CashChangeId;
import io.postroad.example.rules.domain.Execution;
import io.postroad.example.rules.domain.ExecutionStatus;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** A stored execution. */
public record ExecutionDocument(
    String status,
    ZonedDateTime executedAt,
    @Nullable String generatedCashChangeId,
    @Nullable String errorMessage) {

  static ExecutionDocument from(Execution execution) {
    @Nullable CashChangeId generated = execution.generatedCashChangeId();
    return new ExecutionDocument(
        execution.status().name(),
        execution.executedAt(),
        generated == null ? null : generated.id(),
        execution.errorMessage());
  }

  Execution toDomain() {
    return new Execution(
        ExecutionStatus.valueOf(status),
        executedAt,
        generatedCashChangeId == null ? null : new CashChangeId(generatedCashChangeId),
        errorMessage);
  }
}
