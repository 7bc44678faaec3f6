package io.postroad.example.rules.domain;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A positive amount of a currency, with two to four digits after the point: 8500 equals 8500.00.
 */
public record Money(BigDecimal amount, String currency) {
  private static final int MIN_SCALE = 2;
  private static final int MAX_SCALE = 4;
  private static final int MAX_WHOLE_DIGITS = 15;
  private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");

  /**
   * @throws InvalidRuleException if it is missing, not positive, or has too many digits
   */
  public Money(@Nullable BigDecimal amount, @Nullable String currency) {
    this.amount = checked(amount);
    this.currency =
        CheckedText.matching("currency", currency, CURRENCY, "PLN, with three capital letters");
  }

  public static Money of(@Nullable BigDecimal amount, @Nullable String currency) {
    return new Money(amount, currency);
  }

  private static BigDecimal checked(@Nullable BigDecimal value) {
    if (value == null) {
      throw new InvalidRuleException("amount", "is missing");
    }
    if (value.signum() <= 0) {
      throw new InvalidRuleException("amount", "must be positive");
    }
    // The digits first: an extreme scale would overflow in both methods.
    if ((long) value.precision() - value.scale() > MAX_WHOLE_DIGITS
        || value.stripTrailingZeros().scale() > MAX_SCALE) {
      throw new InvalidRuleException(
          "amount",
          "must have at most %d digits before the point and %d after it"
              .formatted(MAX_WHOLE_DIGITS, MAX_SCALE));
    }
    BigDecimal plain = value.stripTrailingZeros();
    return plain.setScale(Math.max(MIN_SCALE, plain.scale()));
  }
}
