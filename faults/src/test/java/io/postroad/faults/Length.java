package io.postroad.faults;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Locale;
import java.util.Optional;

/**
 * Decides how long the runs of this suite are, and on which stores they run. {@code bin/test} runs
 * the short form, in which each case still has at least one kill, freeze or restart. {@code
 * bin/faults} runs the full form: {@code -Dpostroad.faults=full}, on one store with {@code
 * -Dpostroad.faults.store=postgres} or {@code mongodb}.
 */
enum Length {
  SHORT,
  FULL;

  private static final String PROPERTY = "postroad.faults";
  private static final String STORE = "postroad.faults.store";
  private static final Length CHOSEN = chosen(System.getProperty(PROPERTY, "short"));
  private static final Optional<Product> ONLY =
      Optional.ofNullable(System.getProperty(STORE))
          .filter(name -> !name.isBlank())
          .map(Length::product);

  private static Length chosen(String name) {
    return switch (name) {
      case "short" -> SHORT;
      case "full" -> FULL;
      default ->
          throw new IllegalArgumentException(
              "-D%s is '%s'; set it to short or full".formatted(PROPERTY, name));
    };
  }

  private static Product product(String name) {
    return switch (name) {
      case "postgres" -> Product.POSTGRESQL;
      case "mongodb" -> Product.MONGODB;
      default ->
          throw new IllegalArgumentException(
              "-D%s is '%s'; set it to postgres or mongodb".formatted(STORE, name));
    };
  }

  /** Returns the value for the form that runs. */
  static <T> T of(T inShortForm, T inFullForm) {
    return CHOSEN == FULL ? inFullForm : inShortForm;
  }

  /** Skips the test, visibly, when another store was chosen. */
  static void needs(Product product) {
    assumeTrue(
        ONLY.isEmpty() || ONLY.get() == product,
        () -> "the run is for %s only".formatted(ONLY.map(Length::label).orElse("")));
  }

  private static String label(Product product) {
    return product.name().toLowerCase(Locale.ROOT);
  }
}
