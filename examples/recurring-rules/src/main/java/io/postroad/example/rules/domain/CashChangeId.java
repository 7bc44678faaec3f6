package io.postroad.example.rules.domain;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Of what a cash flow generated for one date of a rule. */
public record CashChangeId(String id) {
  private static final Pattern PATTERN = Pattern.compile("CC[0-9]{8}");

  /**
   * @throws InvalidRuleException when it is not like {@code CC10000001}
   */
  public CashChangeId(@Nullable String id) {
    this.id = CheckedText.matching("cashChangeId", id, PATTERN, "CC10000001");
  }
}
