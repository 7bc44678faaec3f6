package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.CashFlowId;
import io.postroad.example.rules.domain.CategoryName;
import io.postroad.example.rules.domain.Money;
import io.postroad.example.rules.domain.Name;
import io.postroad.example.rules.domain.RecurringRule;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.example.rules.domain.Type;
import java.time.LocalDate;

/** The money that a rule moves on one date. */
public record CashChange(
    RecurringRuleId ruleId,
    LocalDate date,
    CashFlowId cashFlowId,
    Name name,
    Money amount,
    Type type,
    CategoryName categoryName) {

  static CashChange of(RecurringRule rule, LocalDate date) {
    return new CashChange(
        rule.id(),
        date,
        rule.origin().cashFlowId(),
        rule.terms().name(),
        rule.amountOn(date),
        rule.origin().type(),
        rule.terms().categoryName());
  }
}
