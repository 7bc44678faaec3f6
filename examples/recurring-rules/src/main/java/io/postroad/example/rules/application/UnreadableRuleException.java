package io.postroad.example.rules.application;

/** A stored rule is none by the rules of the domain: its document must be mended. */
public final class UnreadableRuleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnreadableRuleException(String ruleId, Throwable why) {
    super("stored rule %s cannot be read: %s".formatted(ruleId, why.getMessage()), why);
  }
}
