package io.postroad.example.payments.domain.model;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.UUID;

/**
 * A contract that sells one currency for another. Immutable.
 *
 * @param bookingId the booking, which has at most one contract
 * @param exchangeRate the bought amount for one sold unit
 */
public record FxContract(
    UUID fxContractId,
    UUID bookingId,
    Money sellAmount,
    Money buyAmount,
    BigDecimal exchangeRate,
    LocalDate valueDate,
    Status status) {
  /** The accepted difference below the market rate, because the market moves meanwhile. */
  static final BigDecimal TOLERANCE = new BigDecimal("0.01");

  private static final int RATE_SCALE = 8;

  /** The status of a contract. */
  public enum Status {
    BOOKED,
    UNWOUND
  }

  public FxContract {
    exchangeRate = exchangeRate.setScale(RATE_SCALE, RoundingMode.HALF_EVEN);
  }

  /**
   * Books a contract with the rate of its amounts. The client names both amounts, so they must not
   * be better than the market; they may be slightly worse.
   *
   * @param worth the market value of the sold amount
   * @throws FxRateException if the bought amount is more, or much less
   */
  public static FxContract book(
      UUID bookingId, Money sell, Money buy, Money worth, LocalDate valueDate) {
    if (sell.currencyCode().equals(buy.currencyCode())) {
      throw new IllegalArgumentException("a contract needs two currencies, got " + sell + " twice");
    }
    BigDecimal least = worth.amount().multiply(BigDecimal.ONE.subtract(TOLERANCE));
    if (!worth.covers(buy) || buy.amount().compareTo(least) < 0) {
      throw new FxRateException(
          "%s cannot be bought for %s: the market pays %s, and at most %s less is accepted"
              .formatted(buy, sell, worth, worth.amount().subtract(least).toPlainString()));
    }
    BigDecimal rate = buy.amount().divide(sell.amount(), MathContext.DECIMAL64);
    return new FxContract(UUID.randomUUID(), bookingId, sell, buy, rate, valueDate, Status.BOOKED);
  }

  /** Returns the unwound contract. */
  public FxContract unwind() {
    return new FxContract(
        fxContractId, bookingId, sellAmount, buyAmount, exchangeRate, valueDate, Status.UNWOUND);
  }
}
