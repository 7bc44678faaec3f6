package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.domain.Money;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** An amount in a request. */
record MoneyBody(@Nullable BigDecimal amount, @Nullable String currency) {

  Money toDomain() {
    return Money.of(amount, currency);
  }
}
