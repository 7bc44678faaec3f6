package io.postroad.example.rules.domain;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The id of a rule, with a number of a sequence. */
public record RecurringRuleId(String id) {
  private static final Pattern PATTERN = Pattern.compile("RR[0-9]{8}");

  /**
   * @throws InvalidRuleException if it is not like {@code RR10000001}
   */
  public RecurringRuleId(@Nullable String id) {
    this.id = CheckedText.matching("ruleId", id, PATTERN, "RR10000001");
  }
}
