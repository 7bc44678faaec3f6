package io.postroad.internal.process.dsl;

import java.time.Duration;
import java.util.regex.Pattern;

/** Checks the arguments of the DSL. */
final class Checks {
  /** Allows no colon, because keys of commands contain names separated by colons. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,119}");

  private Checks() {}

  static void name(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          ("the name of a %s must have 1 to 120 letters, digits, '.', '_' and '-' of ASCII, a"
                  + " letter first; got '%s'")
              .formatted(what, name));
    }
  }

  static void positive(String what, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(
          "%s must be more than nothing, got %s".formatted(what, duration));
    }
  }
}
