package io.postroad.example.rules.domain;

import java.time.LocalDate;

/** The parts of a rule that never change. */
public record RuleOrigin(CashFlowId cashFlowId, UserId userId, Type type, LocalDate startDate) {}
