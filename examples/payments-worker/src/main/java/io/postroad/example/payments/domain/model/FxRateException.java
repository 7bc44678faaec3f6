package io.postroad.example.payments.domain.model;

/** Thrown when the amounts of a contract do not fit the market. */
public final class FxRateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FxRateException(String message) {
    super(message);
  }
}
