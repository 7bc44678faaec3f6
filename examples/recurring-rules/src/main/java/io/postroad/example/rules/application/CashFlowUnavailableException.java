package io.postroad.example.rules.application;

/** Thrown when the cash flow service did not answer; the call can be repeated. */
public final class CashFlowUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CashFlowUnavailableException(String message) {
    super(message);
  }
}
