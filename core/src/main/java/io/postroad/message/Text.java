package io.postroad.message;

import org.jspecify.annotations.Nullable;

/** Checks texts before they are stored or sent. */
final class Text {
  private Text() {}

  /**
   * Returns the text, or refuses it: it must not be null, blank, unstorable or longer than {@code
   * limit} characters.
   */
  static String required(@Nullable String value, String what, String hint, int limit) {
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(
          what + " must not be " + (value == null ? "null" : "empty") + "; " + hint);
    }
    return storable(value, what, limit);
  }

  /** Returns null for null, and else the same as {@link #required}. */
  static @Nullable String optional(@Nullable String value, String what, int limit) {
    return value == null ? null : required(value, what, "leave it out instead", limit);
  }

  static String storable(String value, String what, int limit) {
    if (value.length() > limit) {
      throw new IllegalArgumentException(
          what + " may have " + limit + " characters at most, got " + value.length());
    }
    if (!isPrintableAscii(value)) {
      refuseControlCharacters(value, what);
      utf8Length(value, what);
    }
    return value;
  }

  private static boolean isAscii(String value) {
    int bits = 0;
    for (int i = 0; i < value.length(); i++) {
      bits |= value.charAt(i);
    }
    return bits < 0x80;
  }

  /**
   * Returns whether all characters are printable ASCII. This fast check settles nearly every text;
   * messages are checked each time they are read.
   */
  private static boolean isPrintableAscii(String value) {
    int outside = 0;
    for (int i = 0; i < value.length(); i++) {
      outside |= (value.charAt(i) - ' ') | ('~' - value.charAt(i));
    }
    return outside >= 0;
  }

  private static void refuseControlCharacters(String value, String what) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c == '\u007f') {
        throw new IllegalArgumentException(
            "%s must not contain control characters, got U+%04X at index %d"
                .formatted(what, (int) c, i));
      }
    }
  }

  /**
   * Returns the number of bytes that the text has in UTF-8. Refuses a lone surrogate, which has no
   * UTF-8 form.
   */
  static int utf8Length(String value, String what) {
    if (isAscii(value)) {
      return value.length();
    }
    long length = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        length += 1;
      } else if (c < 0x800) {
        length += 2;
      } else if (!Character.isSurrogate(c)) {
        length += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < value.length()
          && Character.isLowSurrogate(value.charAt(i + 1))) {
        length += 4;
        i++;
      } else {
        throw new IllegalArgumentException(
            what + " is not valid Unicode: lone surrogate at index " + i);
      }
    }
    return (int) Math.min(length, Integer.MAX_VALUE);
  }
}
