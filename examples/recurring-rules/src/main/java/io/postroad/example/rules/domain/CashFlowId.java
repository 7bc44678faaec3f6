package io.postroad.example.rules.domain;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The id of the cash flow of a rule. */
public record CashFlowId(String id) {
  private static final Pattern PATTERN = Pattern.compile("CF[0-9]{1,18}");

  /**
   * @throws InvalidRuleException if it is not like {@code CF10000001}
   */
  public CashFlowId(@Nullable String id) {
    this.id = CheckedText.matching("cashFlowId", id, PATTERN, "CF10000001");
  }
}
