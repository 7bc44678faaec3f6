package io.postroad.example.rules.domain;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a rule that can change.
 *
 * @param endDate the last date on which the rule may be due; null for no end
 */
public record RuleTerms(
    Name name,
    @Nullable Description description,
    Money baseAmount,
    CategoryName categoryName,
    RecurrencePattern recurrencePattern,
    @Nullable LocalDate endDate) {}
