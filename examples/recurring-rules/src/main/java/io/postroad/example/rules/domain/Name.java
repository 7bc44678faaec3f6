package io.postroad.example.rules.domain;

import org.jspecify.annotations.Nullable;

/** The name of a rule, for people. */
public record Name(String value) {
  private static final int MAX = 100;

  /**
   * @throws InvalidRuleException if it is missing, too long or not plain text
   */
  public Name(@Nullable String value) {
    this.value = CheckedText.of("name", value, MAX);
  }
}
