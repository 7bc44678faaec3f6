package io.postroad.example.rules.domain;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * What of a rule can be changed.
 *
 * @param endDate the last date on which it may be due; null for no end
 */
public record RuleTerms(
    Name name,
    @Nullable Description description,
    Money baseAmount,
    CategoryName categoryName,
    RecurrencePattern recurrencePattern,
    @Nullable LocalDate endDate) {}
