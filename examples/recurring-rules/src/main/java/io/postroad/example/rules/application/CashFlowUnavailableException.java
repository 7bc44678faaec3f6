package io.postroad.example.rules.application;

/** The cash flow service did not answer; the same can be asked again. */
public final class CashFlowUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CashFlowUnavailableException(String message) {
    super(message);
  }
}
