package io.postroad.example.payments.domain.model;

import java.time.LocalDate;
import java.util.Optional;
import java.util.UUID;

/**
 * A submitted payment. Immutable.
 *
 * @param fxContractId present if its currencies differ
 */
public record Payment(
    UUID paymentId,
    UUID debitAccountId,
    Money debitAmount,
    Money creditAmount,
    LocalDate valueDate,
    Beneficiary beneficiary,
    Optional<UUID> fxContractId,
    Status status) {

  /** The status of a payment. */
  public enum Status {
    SUBMITTED
  }

  /** Creates a submitted payment. */
  public static Payment submitted(
      UUID paymentId,
      UUID debitAccountId,
      Money debitAmount,
      Money creditAmount,
      LocalDate valueDate,
      Beneficiary beneficiary,
      Optional<UUID> fxContractId) {
    boolean converts = !debitAmount.currencyCode().equals(creditAmount.currencyCode());
    if (converts != fxContractId.isPresent()) {
      throw new IllegalArgumentException(
          converts
              ? "%s for %s needs an FX contract".formatted(creditAmount, debitAmount)
              : "a payment in one currency has no FX contract");
    }
    if (!converts && !debitAmount.equals(creditAmount)) {
      throw new IllegalArgumentException(
          "debit %s and credit %s differ".formatted(debitAmount, creditAmount));
    }
    return new Payment(
        paymentId,
        debitAccountId,
        debitAmount,
        creditAmount,
        valueDate,
        beneficiary,
        fxContractId,
        Status.SUBMITTED);
  }
}
