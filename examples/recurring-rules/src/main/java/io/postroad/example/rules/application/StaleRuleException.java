package io.postroad.example.rules.application;

/** Thrown when a rule was changed meanwhile; nothing was stored. */
public final class StaleRuleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StaleRuleException(String message) {
    super(message);
  }
}
