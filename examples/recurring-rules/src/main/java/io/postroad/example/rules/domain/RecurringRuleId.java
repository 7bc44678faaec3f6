package io.postroad.example.rules.domain;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Of a rule; its number is from a sequence. */
public record RecurringRuleId(String id) {
  private static final Pattern PATTERN = Pattern.compile("RR[0-9]{8}");

  /**
   * @throws InvalidRuleException when it is not like {@code RR10000001}
   */
  public RecurringRuleId(@Nullable String id) {
    this.id = CheckedText.matching("ruleId", id, PATTERN, "RR10000001");
  }
}
