package io.postroad.example.payments.domain.model;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.UUID;

/**
 * One currency sold for another. Immutable.
 *
 * @param bookingId for whom it was made; one contract each
 * @param exchangeRate how much is bought for one unit that is sold
 */
public record FxContract(
    UUID fxContractId,
    UUID bookingId,
    Money sellAmount,
    Money buyAmount,
    BigDecimal exchangeRate,
    LocalDate valueDate,
    Status status) {
  /** How much less than the market pays may be bought, because it moves meanwhile. */
  static final BigDecimal TOLERANCE = new BigDecimal("0.01");

  private static final int RATE_SCALE = 8;

  /** Whether the contract holds. */
  public enum Status {
    BOOKED,
    UNWOUND
  }

  public FxContract {
    exchangeRate = exchangeRate.setScale(RATE_SCALE, RoundingMode.HALF_EVEN);
  }

  /**
   * A contract at the rate that its amounts make. Who asks for it names both, so they are never
   * better for them than the market; a little worse they may be.
   *
   * @param worth what the market pays for the sold amount now
   * @throws FxRateException when more is bought, or much less
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

  /** Taken back; the same when it was. */
  public FxContract unwind() {
    return new FxContract(
        fxContractId, bookingId, sellAmount, buyAmount, exchangeRate, valueDate, Status.UNWOUND);
  }
}
