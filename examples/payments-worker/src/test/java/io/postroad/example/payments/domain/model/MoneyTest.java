package io.postroad.example.payments.domain.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MoneyTest {

  @Test
  void shouldAddMoneyWithSameCurrency() {
    Money m1 = Money.of(100, "USD");
    Money m2 = Money.of(50, "USD");

    Money result = m1.add(m2);

    assertEquals(Money.of(150, "USD"), result);
  }

  @Test
  void shouldThrowWhenAddingDifferentCurrencies() {
    Money m1 = Money.of(100, "USD");
    Money m2 = Money.of(50, "EUR");

    assertThrows(IllegalArgumentException.class, () -> m1.add(m2));
  }

  @Test
  void shouldSubtract() {
    assertEquals(Money.of(99.5, "USD"), Money.of(100, "USD").subtract(Money.of(0.5, "USD")));
  }

  @Test
  void shouldThrowWhenSubtractingDifferentCurrencies() {
    assertThrows(
        IllegalArgumentException.class, () -> Money.of(1, "USD").subtract(Money.of(1, "EUR")));
  }

  @Test
  void zeroIsNeitherNegativeNorPositive() {
    assertThat(Money.zero("USD").isNegative()).isFalse();
    assertThat(Money.zero("USD").isPositive()).isFalse();
  }

  @Test
  void lessThanZeroIsNegative() {
    assertThat(Money.of(-0.0001, "USD").isNegative()).isTrue();
    assertThat(Money.of(0.0001, "USD").isNegative()).isFalse();
  }

  @Test
  void amountsOfTheSameValueAreEqualWithAnyScale() {
    assertThat(new Money(new BigDecimal("900"), "USD"))
        .isEqualTo(new Money(new BigDecimal("900.0000"), "USD"))
        .isEqualTo(new Money(new BigDecimal("9E2"), "USD"))
        .hasSameHashCodeAs(Money.of(900, "USD"));
    assertThat(Money.of(900, "USD").amount().scale()).isEqualTo(4);
  }

  @Test
  void moreDigitsThanTheColumnHasAreRoundedToEven() {
    assertThat(new Money(new BigDecimal("0.00005"), "USD")).isEqualTo(Money.zero("USD"));
    assertThat(new Money(new BigDecimal("0.00015"), "USD")).isEqualTo(Money.of(0.0002, "USD"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1000000000000000", "1e2147483647", "999999999999999.99999"})
  void anAmountThatTheColumnCannotHoldIsRefused(String amount) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Money(new BigDecimal(amount), "USD"))
        .withMessageContaining("15 digits");
  }

  @Test
  void anAmountThatTakesAllMemoryToRoundIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Money(new BigDecimal("1e-500000000"), "USD"))
        .withMessageContaining("100 digits behind the point");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "usd", "USDX", "US"})
  void aCurrencyIsThreeCapitalLetters(String currency) {
    assertThrows(IllegalArgumentException.class, () -> Money.of(1, currency));
  }

  @Test
  @SuppressWarnings("NullAway") // JSON may contain null
  void amountAndCurrencyAreRequired() {
    assertThrows(IllegalArgumentException.class, () -> new Money(null, "USD"));
    assertThrows(IllegalArgumentException.class, () -> new Money(BigDecimal.ONE, null));
  }

  @Test
  void coversAmountsThatAreNotLarger() {
    assertThat(Money.of(2, "USD").covers(Money.of(2, "USD"))).isTrue();
    assertThat(Money.of(2, "USD").covers(Money.of(2.0001, "USD"))).isFalse();
  }
}
