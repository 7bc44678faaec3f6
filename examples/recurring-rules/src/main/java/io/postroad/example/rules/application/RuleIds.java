package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.AmountChangeId;
import io.postroad.example.rules.domain.RecurringRuleId;

/** Creates new ids. They are taken before a transaction begins, so there may be gaps. */
public interface RuleIds {

  RecurringRuleId nextRule();

  AmountChangeId nextAmountChange();
}
