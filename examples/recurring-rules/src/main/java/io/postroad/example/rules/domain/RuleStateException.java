package io.postroad.example.rules.domain;

/** Thrown when the status of a rule does not allow a change; nothing was changed. */
public final class RuleStateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RuleStatus status;
  private final String wanted;

  public RuleStateException(RecurringRuleId rule, RuleStatus status, String wanted) {
    super("rule %s is %s and cannot be %s".formatted(rule.id(), status, wanted));
    this.status = status;
    this.wanted = wanted;
  }

  public RuleStatus getStatus() {
    return status;
  }

  /** Returns the refused change, as a past participle. */
  public String getWanted() {
    return wanted;
  }
}
