package io.postroad.example.rules.application;

/** A rule was changed by somebody else in between; nothing was stored. */
public final class StaleRuleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StaleRuleException(String message) {
    super(message);
  }
}
