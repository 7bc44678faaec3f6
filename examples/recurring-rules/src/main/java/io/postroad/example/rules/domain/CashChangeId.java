package io.postroad.example.rules.domain;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The id of a generated cash change. */
public record CashChangeId(String id) {
  private static final Pattern PATTERN = Pattern.compile("CC[0-9]{8}");

  /**
   * @throws InvalidRuleException if it is not like {@code CC10000001}
   */
  public CashChangeId(@Nullable String id) {
    this.id = CheckedText.matching("cashChangeId", id, PATTERN, "CC10000001");
  }
}
