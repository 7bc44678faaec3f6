package io.postroad.example.payment.domain;

/** A field of a payment cannot be what was given; nothing was stored. */
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
