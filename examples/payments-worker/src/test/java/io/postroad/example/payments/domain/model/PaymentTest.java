package io.postroad.example.payments.domain.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaymentTest {
  private static final Beneficiary BENEFICIARY = new Beneficiary("Ada", "DE1", "002");

  private static Payment payment(Money debit, Money credit, Optional<UUID> contract) {
    return Payment.submitted(
        UUID.randomUUID(),
        UUID.randomUUID(),
        debit,
        credit,
        LocalDate.of(2026, 11, 30),
        BENEFICIARY,
        contract);
  }

  @Test
  void aNewPaymentIsSubmitted() {
    assertThat(payment(Money.of(1, "USD"), Money.of(1, "USD"), Optional.empty()).status())
        .isEqualTo(Payment.Status.SUBMITTED);
  }

  @Test
  void twoCurrenciesNeedAContract() {
    assertThrows(
        IllegalArgumentException.class,
        () -> payment(Money.of(1, "USD"), Money.of(1, "EUR"), Optional.empty()));
    assertThat(
            payment(Money.of(1, "USD"), Money.of(1, "EUR"), Optional.of(UUID.randomUUID()))
                .fxContractId())
        .isPresent();
  }

  @Test
  void oneCurrencyHasNoContractAndOneAmount() {
    assertThrows(
        IllegalArgumentException.class,
        () -> payment(Money.of(1, "USD"), Money.of(1, "USD"), Optional.of(UUID.randomUUID())));
    assertThrows(
        IllegalArgumentException.class,
        () -> payment(Money.of(1, "USD"), Money.of(2, "USD"), Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "'',DE1,002",
    "Ada,' ',002",
    "Ada,DE1,''",
    "Ada,12345678901234567890123456789012345,002",
    "Ada,DE1,12345678901"
  })
  void aBeneficiaryMustBeComplete(String name, String account, String transit) {
    assertThrows(InvalidBeneficiaryException.class, () -> new Beneficiary(name, account, transit));
  }
}
