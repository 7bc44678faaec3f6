package io.postroad.spring.boot.internal;

import io.postroad.spring.boot.UnusableConfigurationException;
import java.util.function.Supplier;

/** Turns what options refuse into something that names the properties they were made of. */
public final class Refused {
  private Refused() {}

  public static <R> R unlessFit(String properties, Supplier<R> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException | IllegalStateException | ArithmeticException unfit) {
      throw new UnusableConfigurationException(
          String.valueOf(unfit.getMessage()),
          "Change the value in %s.*; docs/reference/defaults.md has the values that work together."
              .formatted(properties),
          unfit);
    }
  }
}
