package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.CashChangeId;
import io.postroad.example.rules.domain.Money;

/**
 * The result of the cash flow service.
 *
 * @param amount the moved amount; that of the rule may have changed since
 */
public record Generated(CashChangeId id, Money amount) {}
