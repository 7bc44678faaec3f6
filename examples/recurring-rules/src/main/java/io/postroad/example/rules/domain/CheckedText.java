package io.postroad.example.rules.domain;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks that text can be stored, sent and shown unchanged. */
public final class CheckedText {
  private CheckedText() {}

  /**
   * Returns the value.
   *
   * @param max the most code points, as MongoDB's {@code maxLength} counts
   * @throws InvalidRuleException if it is missing, too long or not plain text
   */
  public static String of(String field, @Nullable String value, int max) {
    if (value == null || value.isBlank()) {
      throw new InvalidRuleException(field, "is missing");
    }
    int length = value.codePointCount(0, value.length());
    if (length > max) {
      throw new InvalidRuleException(
          field, "must have at most %d characters, got %d".formatted(max, length));
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidRuleException(field, "must not have control characters");
    }
    if (value.codePoints().anyMatch(CheckedText::isHalf)) {
      throw new InvalidRuleException(field, "must not have half a surrogate pair");
    }
    return value;
  }

  /** Returns the value, or null for null. */
  static @Nullable String optional(String field, @Nullable String value, int max) {
    return value == null ? null : of(field, value, max);
  }

  static String matching(String field, @Nullable String value, Pattern pattern, String like) {
    if (value == null || value.isBlank()) {
      throw new InvalidRuleException(field, "is missing");
    }
    if (!pattern.matcher(value).matches()) {
      throw new InvalidRuleException(field, "must be like " + like);
    }
    return value;
  }

  /** Returns whether a code point is a lone surrogate, which has no UTF-8 form. */
  private static boolean isHalf(int codePoint) {
    return Character.getType(codePoint) == Character.SURROGATE;
  }
}
