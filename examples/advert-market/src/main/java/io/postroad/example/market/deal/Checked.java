package io.postroad.example.market.deal;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks values before they are stored, also against the lengths of the columns: a database error
 * would come later and explain less.
 */
final class Checked {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,36}");
  private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");
  private static final int MAX_SCALE = 2;
  private static final int MAX_WHOLE_DIGITS = 15;

  private Checked() {}

  /** Checks an id, which must fit into a path. */
  static String id(String field, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw new InvalidDealException(field, "is missing");
    }
    if (!ID.matcher(value).matches()) {
      throw new InvalidDealException(field, "must be 1 to 36 letters, digits, - or _");
    }
    return value;
  }

  static String text(String field, @Nullable String value, int max) {
    if (value == null || value.isBlank()) {
      throw new InvalidDealException(field, "is missing");
    }
    if (value.length() > max) {
      throw new InvalidDealException(
          field, "must have at most %d characters, got %d".formatted(max, value.length()));
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidDealException(field, "must not have control characters");
    }
    if (value.codePoints().anyMatch(Checked::isHalf)) {
      throw new InvalidDealException(field, "must not have half a surrogate pair");
    }
    return value;
  }

  /** Returns whether a code point is a lone surrogate, which has no UTF-8 form. */
  private static boolean isHalf(int codePoint) {
    return Character.getType(codePoint) == Character.SURROGATE;
  }

  /** Checks a positive amount with two digits after the point. */
  static BigDecimal money(String field, @Nullable BigDecimal value) {
    if (value == null) {
      throw new InvalidDealException(field, "is missing");
    }
    if (value.signum() <= 0) {
      throw new InvalidDealException(field, "must be positive");
    }
    // The digits first: an extreme scale would overflow in both methods.
    if ((long) value.precision() - value.scale() > MAX_WHOLE_DIGITS
        || value.stripTrailingZeros().scale() > MAX_SCALE) {
      throw new InvalidDealException(
          field,
          "must have at most %d digits before the point and %d after it"
              .formatted(MAX_WHOLE_DIGITS, MAX_SCALE));
    }
    return value.setScale(MAX_SCALE);
  }

  static String currency(String field, @Nullable String value) {
    if (value == null || !CURRENCY.matcher(value).matches()) {
      throw new InvalidDealException(field, "must be three capital letters, such as EUR");
    }
    return value;
  }
}
