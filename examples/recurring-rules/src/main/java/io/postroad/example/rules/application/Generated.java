package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.CashChangeId;
import io.postroad.example.rules.domain.Money;

/**
 * What the cash flow has generated.
 *
 * @param amount that was moved; the rule's may have changed since
 */
public record Generated(CashChangeId id, Money amount) {}
