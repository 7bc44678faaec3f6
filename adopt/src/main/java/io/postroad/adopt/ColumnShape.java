package io.postroad.adopt;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Column of a table, or field of a collection. Immutable.
 *
 * @param name as the database spells it
 * @param kind kind of its values
 * @param nullable whether it may be empty in a row; true for every field of a collection
 * @param hasDefault whether the database fills it when an insert does not name it
 * @param defaultText its default, where that is a constant text
 * @param maxLength its longest text, where it is limited
 * @param allowed the only texts that it takes, where a type or a check lists them; empty for any
 */
public record ColumnShape(
    String name,
    ColumnKind kind,
    boolean nullable,
    boolean hasDefault,
    Optional<String> defaultText,
    OptionalInt maxLength,
    List<String> allowed) {
  public ColumnShape {
    allowed = List.copyOf(allowed);
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a column needs a name");
    }
    if (defaultText.isPresent() && !hasDefault) {
      throw new IllegalArgumentException(
          "column %s has the default '%s' and hasDefault = false"
              .formatted(name, defaultText.get()));
    }
  }

  /** Creates a column that may be empty, of any length, without a default. */
  public static ColumnShape of(String name, ColumnKind kind) {
    return new ColumnShape(
        name, kind, true, false, Optional.empty(), OptionalInt.empty(), List.of());
  }

  public ColumnShape notNull() {
    return new ColumnShape(name, kind, false, hasDefault, defaultText, maxLength, allowed);
  }

  /** Returns the same with a default that is no constant text. */
  public ColumnShape withDefault() {
    return new ColumnShape(name, kind, nullable, true, defaultText, maxLength, allowed);
  }

  public ColumnShape withDefault(String text) {
    return new ColumnShape(name, kind, nullable, true, Optional.of(text), maxLength, allowed);
  }

  public ColumnShape withMaxLength(int length) {
    return new ColumnShape(
        name, kind, nullable, hasDefault, defaultText, OptionalInt.of(length), allowed);
  }

  public ColumnShape withAllowed(List<String> texts) {
    return new ColumnShape(name, kind, nullable, hasDefault, defaultText, maxLength, texts);
  }

  /** Whether every insert must name it. */
  public boolean mustBeFilled() {
    return !nullable && !hasDefault;
  }

  /** Whether a text of this length fits. */
  public boolean takes(int length) {
    return maxLength.isEmpty() || maxLength.getAsInt() >= length;
  }
}
