package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.domain.CategoryName;
import io.postroad.example.rules.domain.Description;
import io.postroad.example.rules.domain.Name;
import io.postroad.example.rules.domain.RuleTerms;
import org.jspecify.annotations.Nullable;

/** The changeable parts of a rule in a request. */
record TermsBody(
    @Nullable String name,
    @Nullable String description,
    @Nullable MoneyBody baseAmount,
    @Nullable String categoryName,
    @Nullable PatternBody recurrencePattern,
    @Nullable String endDate) {

  RuleTerms toDomain() {
    return new RuleTerms(
        new Name(name),
        description == null ? null : new Description(description),
        Fields.required("baseAmount", baseAmount).toDomain(),
        new CategoryName(categoryName),
        Fields.required("recurrencePattern", recurrencePattern).toDomain(),
        Fields.optionalDate("endDate", endDate));
  }
}
