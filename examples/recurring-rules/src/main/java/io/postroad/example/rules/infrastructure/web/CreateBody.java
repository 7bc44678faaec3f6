package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.application.CreateRule;
import io.postroad.example.rules.domain.CashFlowId;
import io.postroad.example.rules.domain.CheckedText;
import io.postroad.example.rules.domain.RuleOrigin;
import io.postroad.example.rules.domain.Type;
import io.postroad.example.rules.domain.UserId;
import org.jspecify.annotations.Nullable;

/**
 * A request for a new rule.
 *
 * @param idempotencyKey the same in a request that is repeated after a lost answer
 */
record CreateBody(
    @Nullable String cashFlowId,
    @Nullable String userId,
    @Nullable String type,
    @Nullable String startDate,
    @Nullable String name,
    @Nullable String description,
    @Nullable MoneyBody baseAmount,
    @Nullable String categoryName,
    @Nullable PatternBody recurrencePattern,
    @Nullable String endDate,
    @Nullable String idempotencyKey) {
  private static final int MAX_KEY = 100;

  CreateRule toCommand() {
    return new CreateRule(
        new RuleOrigin(
            new CashFlowId(cashFlowId),
            UserId.of(userId),
            Fields.oneOf("type", type, Type.class),
            Fields.date("startDate", startDate)),
        new TermsBody(name, description, baseAmount, categoryName, recurrencePattern, endDate)
            .toDomain(),
        idempotencyKey == null ? null : CheckedText.of("idempotencyKey", idempotencyKey, MAX_KEY));
  }
}
