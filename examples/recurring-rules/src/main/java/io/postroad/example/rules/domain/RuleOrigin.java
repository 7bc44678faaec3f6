package io.postroad.example.rules.domain;

import java.time.LocalDate;

/** What of a rule never changes. */
public record RuleOrigin(CashFlowId cashFlowId, UserId userId, Type type, LocalDate startDate) {}
