package io.postroad.example.payments.domain.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FxContractTest {
  private static final BigDecimal MARKET = new BigDecimal("1.25");

  private static FxContract book(double sell, double buy) {
    return FxContract.book(
        UUID.randomUUID(),
        Money.of(sell, "EUR"),
        Money.of(buy, "USD"),
        MARKET,
        LocalDate.of(2026, 11, 30));
  }

  @Test
  void theRateIsThatOfItsAmounts() {
    assertThat(book(100, 125).exchangeRate()).isEqualByComparingTo("1.25");
  }

  @Test
  void aRateWithinOnePercentOfTheMarketIsGood() {
    assertThat(book(100, 126.25).exchangeRate()).isEqualByComparingTo("1.2625");
    assertThat(book(100, 123.75).exchangeRate()).isEqualByComparingTo("1.2375");
  }

  @Test
  void aRateFurtherOffIsRefused() {
    assertThrows(FxRateException.class, () -> book(100, 126.26));
    assertThrows(FxRateException.class, () -> book(100, 123.74));
  }

  @Test
  void oneCurrencyNeedsNoContract() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            FxContract.book(
                UUID.randomUUID(),
                Money.of(1, "EUR"),
                Money.of(1, "EUR"),
                BigDecimal.ONE,
                LocalDate.of(2026, 11, 30)));
  }

  @Test
  void unwindingTwiceIsUnwindingOnce() {
    FxContract unwound = book(100, 125).unwind();
    assertThat(unwound.status()).isEqualTo(FxContract.Status.UNWOUND);
    assertThat(unwound.unwind()).isEqualTo(unwound);
  }
}
