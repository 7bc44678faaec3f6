package io.postroad.example.payment.domain;

/** Thrown for an invalid field of a payment; nothing was stored. */
public final class InvalidPaymentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String reason;

  public InvalidPaymentException(String field, String reason) {
    super(field + " " + reason);
    this.field = field;
    this.reason = reason;
  }

  public String getField() {
    return field;
  }

  public String getReason() {
    return reason;
  }
}
