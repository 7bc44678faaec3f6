package io.postroad.example.payment.domain;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A payment that can be approved once. Its constructor checks the fields, also against the lengths
 * of the columns: a database error would come later and explain less.
 */
public final class PaymentDomain {
  private static final int MAX_PAYMENT_ID = 36;
  private static final int MAX_USER_ID = 100;
  private static final int MAX_SCALE = 4;
  private static final int MAX_WHOLE_DIGITS = 15;
  private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");

  private final String paymentId;
  private final String userId;
  private final BigDecimal amount;
  private final String currency;
  private PaymentStatus status = PaymentStatus.PENDING;

  /**
   * @throws InvalidPaymentException for the first field that is invalid
   */
  public PaymentDomain(
      @Nullable String paymentId,
      @Nullable String userId,
      @Nullable BigDecimal amount,
      @Nullable String currency) {
    this.paymentId = CheckedText.of("paymentId", paymentId, MAX_PAYMENT_ID);
    this.userId = CheckedText.of("userId", userId, MAX_USER_ID);
    this.amount = positive(amount);
    this.currency = code(currency);
  }

  private static BigDecimal positive(@Nullable BigDecimal value) {
    if (value == null) {
      throw new InvalidPaymentException("amount", "is missing");
    }
    if (value.signum() <= 0) {
      throw new InvalidPaymentException("amount", "must be positive, got " + value);
    }
    // The digits first: an extreme scale would overflow in both methods.
    if ((long) value.precision() - value.scale() > MAX_WHOLE_DIGITS
        || value.stripTrailingZeros().scale() > MAX_SCALE) {
      throw new InvalidPaymentException(
          "amount",
          "must have at most %d digits before the point and %d after it"
              .formatted(MAX_WHOLE_DIGITS, MAX_SCALE));
    }
    return value;
  }

  private static String code(@Nullable String value) {
    if (value == null || !CURRENCY.matcher(value).matches()) {
      throw new InvalidPaymentException("currency", "must be three capital letters, such as BRL");
    }
    return value;
  }

  /** Approves the payment; a payment cannot be approved twice. */
  public void markApproved() {
    if (status != PaymentStatus.PENDING) {
      throw new IllegalStateException("payment %s is %s".formatted(paymentId, status));
    }
    status = PaymentStatus.APPROVED;
  }

  public String getPaymentId() {
    return paymentId;
  }

  public String getUserId() {
    return userId;
  }

  public BigDecimal getAmount() {
    return amount;
  }

  public String getCurrency() {
    return currency;
  }

  public PaymentStatus getStatus() {
    return status;
  }
}
