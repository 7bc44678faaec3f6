package io.postroad.example.rules.infrastructure.mongodb;

import io.postroad.example.rules.domain.Money;
import java.math.BigDecimal;

/** A stored amount, with a Decimal128. */
public record MoneyDocument(BigDecimal amount, String currency) {

  static MoneyDocument from(Money money) {
    return new MoneyDocument(money.amount(), money.currency());
  }

  Money toDomain() {
    return Money.of(amount, currency);
  }
}
