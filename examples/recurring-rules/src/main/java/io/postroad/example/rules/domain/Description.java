package io.postroad.example.rules.domain;

import org.jspecify.annotations.Nullable;

/** The description of a rule. */
public record Description(String value) {
  private static final int MAX = 500;

  /**
   * @throws InvalidRuleException if it is missing, too long or not plain text
   */
  public Description(@Nullable String value) {
    this.value = CheckedText.of("description", value, MAX);
  }
}
