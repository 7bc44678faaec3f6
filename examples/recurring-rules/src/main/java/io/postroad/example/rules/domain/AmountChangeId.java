package io.postroad.example.rules.domain;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The id of an amount change; its number has its own sequence. */
public record AmountChangeId(String id) {
  private static final Pattern PATTERN = Pattern.compile("AC[0-9]{8}");

  /**
   * @throws InvalidRuleException if it is not like {@code AC10000001}
   */
  public AmountChangeId(@Nullable String id) {
    this.id = CheckedText.matching("changeId", id, PATTERN, "AC10000001");
  }
}
