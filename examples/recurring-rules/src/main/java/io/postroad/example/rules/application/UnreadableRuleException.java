package io.postroad.example.rules.application;

/** Thrown when a stored rule breaks the rules of the domain; its document must be corrected. */
public final class UnreadableRuleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnreadableRuleException(String ruleId, Throwable why) {
    super("stored rule %s cannot be read: %s".formatted(ruleId, why.getMessage()), why);
  }
}
