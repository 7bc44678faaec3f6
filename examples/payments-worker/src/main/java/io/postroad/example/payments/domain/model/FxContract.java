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
  /** How far amounts may be from the market, because it moves between a quote and the booking. */
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
   * A contract at the rate that its amounts make.
   *
   * @param marketRate of these currencies now
   * @throws FxRateException when that is too far from the market
   */
  public static FxContract book(
      UUID bookingId, Money sell, Money buy, BigDecimal marketRate, LocalDate valueDate) {
    if (sell.currencyCode().equals(buy.currencyCode())) {
      throw new IllegalArgumentException("a contract needs two currencies, got " + sell + " twice");
    }
    BigDecimal rate = buy.amount().divide(sell.amount(), MathContext.DECIMAL64);
    if (rate.subtract(marketRate).abs().compareTo(marketRate.multiply(TOLERANCE)) > 0) {
      throw new FxRateException(
          "%s for %s is a rate of %s, the market has %s"
              .formatted(buy, sell, rate.round(new MathContext(6)).toPlainString(), marketRate));
    }
    return new FxContract(UUID.randomUUID(), bookingId, sell, buy, rate, valueDate, Status.BOOKED);
  }

  /** Taken back; the same when it was. */
  public FxContract unwind() {
    return new FxContract(
        fxContractId, bookingId, sellAmount, buyAmount, exchangeRate, valueDate, Status.UNWOUND);
  }
}
