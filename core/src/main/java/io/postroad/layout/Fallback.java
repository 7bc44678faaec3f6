package io.postroad.layout;

import java.util.Optional;

/**
 * What a field is where a row has nothing for it. Immutable.
 *
 * @param text a constant, or what comes before the other field
 * @param of the field whose value follows
 */
public record Fallback(String text, Optional<Field> of) {
  public Fallback {
    if (text.isEmpty() && of.isEmpty()) {
      throw new IllegalArgumentException("a fallback needs a text or a field");
    }
  }

  /** Always this. */
  public static Fallback to(String text) {
    return new Fallback(text, Optional.empty());
  }

  /** The value of another field. */
  public static Fallback to(Field field) {
    return new Fallback("", Optional.of(field));
  }

  /** A text and then the value of another field. */
  public static Fallback to(String prefix, Field field) {
    return new Fallback(prefix, Optional.of(field));
  }
}
