package io.postroad.micronaut.guide;

import java.math.BigDecimal;
import java.math.RoundingMode;

public record Money(BigDecimal amount, String currencyCode) {
  public Money {
    if (amount == null) {
      throw new IllegalArgumentException("amount required");
    }
    if (currencyCode == null) {
      throw new IllegalArgumentException("currency required");
    }
    // As DECIMAL(19, 4) gives it back; otherwise 900.0 would not be 900.0000.
    amount = amount.setScale(4, RoundingMode.HALF_EVEN);
  }

  public static Money zero(String currencyCode) {
    return new Money(BigDecimal.ZERO, currencyCode);
  }

  public static Money of(double amount, String currencyCode) {
    return new Money(BigDecimal.valueOf(amount), currencyCode);
  }

  public Money add(Money other) {
    return new Money(amount.add(other.amount), currencyCode);
  }

  public Money subtract(Money other) {
    return new Money(amount.subtract(other.amount), currencyCode);
  }

  public boolean isNegative() {
    return amount.compareTo(BigDecimal.ZERO) < 0;
  }
}
