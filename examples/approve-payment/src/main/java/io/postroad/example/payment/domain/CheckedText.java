package io.postroad.example.payment.domain;

import org.jspecify.annotations.Nullable;

/** Checks that text can be stored, sent and shown unchanged. */
public final class CheckedText {
  private CheckedText() {}

  /**
   * Returns the value.
   *
   * @throws InvalidPaymentException if it is missing, too long or not plain text
   */
  public static String of(String field, @Nullable String value, int max) {
    if (value == null || value.isBlank()) {
      throw new InvalidPaymentException(field, "is missing");
    }
    if (value.length() > max) {
      throw new InvalidPaymentException(
          field, "must have at most %d characters, got %d".formatted(max, value.length()));
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidPaymentException(field, "must not have control characters");
    }
    if (value.codePoints().anyMatch(CheckedText::isHalf)) {
      throw new InvalidPaymentException(field, "must not have half a surrogate pair");
    }
    return value;
  }

  /** Returns whether a code point is a lone surrogate, which has no UTF-8 form. */
  private static boolean isHalf(int codePoint) {
    return Character.getType(codePoint) == Character.SURROGATE;
  }
}
