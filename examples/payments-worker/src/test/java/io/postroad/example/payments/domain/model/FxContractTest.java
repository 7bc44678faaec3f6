package io.postroad.example.payments.domain.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FxContractTest {
  /** Sells 100 EUR, for which the market pays 125 USD. */
  private static FxContract book(double buy) {
    return FxContract.book(
        UUID.randomUUID(),
        Money.of(100, "EUR"),
        Money.of(buy, "USD"),
        Money.of(125, "USD"),
        LocalDate.of(2026, 11, 30));
  }

  @Test
  void theRateIsTheRatioOfTheAmounts() {
    assertThat(book(125).exchangeRate()).isEqualByComparingTo("1.25");
  }

  @Test
  void upToOnePercentLessThanTheMarketPaysMayBeBought() {
    assertThat(book(123.75).exchangeRate()).isEqualByComparingTo("1.2375");
    assertThrows(FxRateException.class, () -> book(123.7499));
  }

  /** The client names both amounts, so more than the market value would always be chosen. */
  @Test
  void moreThanTheMarketPaysCannotBeBought() {
    FxRateException refused = assertThrows(FxRateException.class, () -> book(125.0001));
    assertThat(refused).hasMessageContaining("the market pays 125.0000 USD");
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
                Money.of(1, "EUR"),
                LocalDate.of(2026, 11, 30)));
  }

  @Test
  void unwindingTwiceIsUnwindingOnce() {
    FxContract unwound = book(125).unwind();
    assertThat(unwound.status()).isEqualTo(FxContract.Status.UNWOUND);
    assertThat(unwound.unwind()).isEqualTo(unwound);
  }
}
