package io.postroad.example.payments.domain.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/**
 * An amount of a currency. Immutable. The scale is always that of the column {@code DECIMAL(19,
 * 4)}, so that 900.0 equals the 900.0000 that the database returns.
 */
public record Money(BigDecimal amount, String currencyCode) {
  /** Digits after the point. */
  public static final int SCALE = 4;

  /** Digits before the point. */
  public static final int DIGITS = 15;

  private static final int MOST_FRACTION_DIGITS = 100;
  private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");

  public Money {
    if (amount == null) {
      throw new IllegalArgumentException("amount required");
    }
    if (currencyCode == null) {
      throw new IllegalArgumentException("currency required");
    }
    if (!CURRENCY.matcher(currencyCode).matches()) {
      throw new IllegalArgumentException("currency must be three capital letters");
    }
    amount = normalised(amount);
  }

  public static Money zero(String currencyCode) {
    return new Money(BigDecimal.ZERO, currencyCode);
  }

  public static Money of(double amount, String currencyCode) {
    return new Money(BigDecimal.valueOf(amount), currencyCode);
  }

  public Money add(Money other) {
    validateSameCurrency(other);
    return new Money(amount.add(other.amount), currencyCode);
  }

  public Money subtract(Money other) {
    validateSameCurrency(other);
    return new Money(amount.subtract(other.amount), currencyCode);
  }

  // Jackson takes methods that begin with "is" for fields; these are not.
  @JsonIgnore
  public boolean isNegative() {
    return amount.signum() < 0;
  }

  @JsonIgnore
  public boolean isPositive() {
    return amount.signum() > 0;
  }

  /** Returns whether this amount is at least the other. */
  public boolean covers(Money other) {
    return !subtract(other).isNegative();
  }

  private void validateSameCurrency(Money other) {
    if (!currencyCode.equals(other.currencyCode)) {
      throw new IllegalArgumentException(
          "Currency mismatch: %s and %s".formatted(currencyCode, other.currencyCode));
    }
  }

  /**
   * Checks the size first: writing out 1e2147483647, or rounding 1e-500000000, would take all
   * memory.
   */
  private static BigDecimal normalised(BigDecimal amount) {
    if (amount.signum() == 0) {
      return BigDecimal.ZERO.setScale(SCALE);
    }
    if ((long) amount.precision() - amount.scale() > DIGITS) {
      throw new IllegalArgumentException(
          "amount must have at most %d digits before the point".formatted(DIGITS));
    }
    if (amount.scale() > MOST_FRACTION_DIGITS) {
      throw new IllegalArgumentException(
          "amount must have at most %d digits behind the point".formatted(MOST_FRACTION_DIGITS));
    }
    BigDecimal rounded = amount.setScale(SCALE, RoundingMode.HALF_EVEN);
    if (rounded.precision() > DIGITS + SCALE) {
      throw new IllegalArgumentException(
          "amount must have at most %d digits before the point".formatted(DIGITS));
    }
    return rounded;
  }

  @Override
  public String toString() {
    return amount.toPlainString() + " " + currencyCode;
  }
}
