package io.postroad.micronaut.internal.settings;

import io.postroad.micronaut.UnusableConfigurationException;
import io.postroad.schema.SchemaException;
import java.util.function.Supplier;

/** Turns what options refuse into something that names the properties they were made of. */
public final class Refused {
  private Refused() {}

  public static <R> R unlessFit(String properties, Supplier<R> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException | IllegalStateException | ArithmeticException unfit) {
      throw new UnusableConfigurationException(
          unfit.getMessage() + ".",
          "Change the value in %s.*; docs/reference/defaults.md has the values that work together."
              .formatted(properties),
          unfit);
    }
  }

  /** Opens a store, and tells the way out when its tables or collections are missing or old. */
  public static <S> S unlessThereIsNoSchema(Supplier<S> opened) {
    try {
      return opened.get();
    } catch (SchemaException unfit) {
      throw new UnusableConfigurationException(
          unfit.getMessage() + ".",
          "Let the application create and upgrade what Postroad needs with"
              + " postroad.store.schema-mode=migrate, if its user may do that. Otherwise have it"
              + " done before the start: by Flyway from classpath:io/postroad/postgres/flyway, or"
              + " by the script that PostgresSchema prints.",
          unfit);
    }
  }
}
