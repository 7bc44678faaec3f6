package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.domain.RuleTerms;
import org.jspecify.annotations.Nullable;

/**
 * New terms of a rule.
 *
 * @param version the version of the rule that the client has seen
 */
record UpdateBody(
    @Nullable Long version,
    @Nullable String name,
    @Nullable String description,
    @Nullable MoneyBody baseAmount,
    @Nullable String categoryName,
    @Nullable PatternBody recurrencePattern,
    @Nullable String endDate) {

  long expectedVersion() {
    return Fields.required("version", version);
  }

  RuleTerms terms() {
    return new TermsBody(name, description, baseAmount, categoryName, recurrencePattern, endDate)
        .toDomain();
  }
}
