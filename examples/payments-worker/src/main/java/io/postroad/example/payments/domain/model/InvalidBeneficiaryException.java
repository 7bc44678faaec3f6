package io.postroad.example.payments.domain.model;

/** Thrown for an invalid beneficiary. */
public final class InvalidBeneficiaryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidBeneficiaryException(String message) {
    super(message);
  }
}
