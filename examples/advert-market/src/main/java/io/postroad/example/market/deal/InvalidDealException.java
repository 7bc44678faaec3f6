package io.postroad.example.market.deal;

/** Thrown for an invalid field; nothing was changed. */
public final class InvalidDealException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String reason;

  public InvalidDealException(String field, String reason) {
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
