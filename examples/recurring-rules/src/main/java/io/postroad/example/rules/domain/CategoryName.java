package io.postroad.example.rules.domain;

import org.jspecify.annotations.Nullable;

/** The category of a rule in its cash flow. */
public record CategoryName(String name) {
  /** The category of rules after their category was removed. */
  public static final CategoryName UNCATEGORIZED = new CategoryName("Uncategorized");

  private static final int MAX = 100;

  /**
   * @throws InvalidRuleException if it is missing, too long or not plain text
   */
  public CategoryName(@Nullable String name) {
    this.name = CheckedText.of("categoryName", name, MAX);
  }
}
