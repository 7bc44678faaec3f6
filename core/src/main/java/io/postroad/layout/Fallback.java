package io.postroad.layout;

import java.util.Optional;

/**
 * Value of a field for rows without one. Immutable.
 *
 * @param text a constant, or the prefix of the other field
 * @param of the field whose value follows
 */
public record Fallback(String text, Optional<Field> of) {
  public Fallback {
    if (text.isEmpty() && of.isEmpty()) {
      throw new IllegalArgumentException("a fallback needs a text or a field");
    }
  }

  /** Creates a constant value. */
  public static Fallback to(String text) {
    return new Fallback(text, Optional.empty());
  }

  /** Creates a fallback to the value of another field. */
  public static Fallback to(Field field) {
    return new Fallback("", Optional.of(field));
  }

  /** Creates a fallback to a prefix and the value of another field. */
  public static Fallback to(String prefix, Field field) {
    return new Fallback(prefix, Optional.of(field));
  }
}
