package io.postroad.example.rules.domain;

import org.jspecify.annotations.Nullable;

/** The category of a cash flow that a rule books to. */
public record CategoryName(String name) {
  /** Where rules are whose category was removed. */
  public static final CategoryName UNCATEGORIZED = new CategoryName("Uncategorized");

  private static final int MAX = 100;

  /**
   * @throws InvalidRuleException when it is missing, too long or not plain text
   */
  public CategoryName(@Nullable String name) {
    this.name = CheckedText.of("categoryName", name, MAX);
  }
}
