package io.postroad.example.rules.infrastructure.mongodb;

import com.mongodb.client.MongoDatabase;
import io.postroad.example.rules.application.RuleIds;
import io.postroad.example.rules.domain.AmountChangeId;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.mongodb.MongoSequence;

/** Creates ids with prefixed numbers of {@code recurring_rule_ids}, outside of any transaction. */
final class SequenceIds implements RuleIds {
  static final String COLLECTION = "recurring_rule_ids";
  static final String RULES = "recurring_rule";
  static final String AMOUNT_CHANGES = "amount_change";

  private final MongoSequence rules;
  private final MongoSequence amountChanges;

  SequenceIds(MongoDatabase database) {
    rules = new MongoSequence(database, COLLECTION, RULES);
    amountChanges = new MongoSequence(database, COLLECTION, AMOUNT_CHANGES);
  }

  @Override
  public RecurringRuleId nextRule() {
    return new RecurringRuleId("RR" + rules.next());
  }

  @Override
  public AmountChangeId nextAmountChange() {
    return new AmountChangeId("AC" + amountChanges.next());
  }
}
