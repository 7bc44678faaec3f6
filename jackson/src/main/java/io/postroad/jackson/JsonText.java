package io.postroad.jackson;

import org.jspecify.annotations.Nullable;

/**
 * Checks the size of a text in UTF-8, and that it has a UTF-8 form, which Jackson does not check.
 */
record JsonText(int maxDocument) {

  /** Returns the value, or refuses null, which Jackson returns for the document {@code null}. */
  static <T> T present(@Nullable T value) {
    if (value == null) {
      throw new UnfitText("the document is null, which is not a value");
    }
    return value;
  }

  void check(String json) {
    long size = 0;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c < 0x80) {
        size += 1;
      } else if (c < 0x800) {
        size += 2;
      } else if (!Character.isSurrogate(c)) {
        size += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < json.length()
          && Character.isLowSurrogate(json.charAt(i + 1))) {
        size += 4;
        i++;
      } else {
        throw loneSurrogate(i);
      }
    }
    if (size > maxDocument) {
      throw new UnfitText(
          "it has %d bytes, more than the limit of %d; make it smaller or raise the limit with"
                  .formatted(size, maxDocument)
              + " JacksonJsonCodec.create(bytes)");
    }
  }

  /** Refuses a lone surrogate that is written as an escape, which parsers accept. */
  void checkEscapes(String json) {
    boolean high = false;
    int i = json.indexOf('\\');
    int after = i;
    while (i >= 0 && i + 1 < json.length()) {
      int unit = json.charAt(i + 1) == 'u' ? hex(json, i + 2) : 0;
      boolean low = unit >= 0xDC00 && unit <= 0xDFFF;
      if (low != (high && after == i)) {
        throw loneSurrogate(i);
      }
      if (high && after != i) {
        throw loneSurrogate(after - 6);
      }
      high = unit >= 0xD800 && unit <= 0xDBFF;
      after = i + (unit == 0 ? 2 : 6);
      i = json.indexOf('\\', after);
    }
    if (high) {
      throw loneSurrogate(after - 6);
    }
  }

  /** Returns four hex digits as a number; 0 if they are none, which the parser then reports. */
  private static int hex(String json, int from) {
    int unit = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = i < json.length() ? Character.digit(json.charAt(i), 16) : -1;
      if (digit < 0) {
        return 0;
      }
      unit = unit * 16 + digit;
    }
    return unit;
  }

  private static UnfitText loneSurrogate(int index) {
    return new UnfitText(
        "lone surrogate at index " + index + ", which has no UTF-8 form; send whole characters");
  }

  /** Thrown for a text that is unfit for every class; its message has no content. */
  static final class UnfitText extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnfitText(String message) {
      super(message);
    }
  }
}
