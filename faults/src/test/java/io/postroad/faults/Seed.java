package io.postroad.faults;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Where the random choices of a test come from.
 *
 * @param value of the system property {@code postroad.seed} if it is set, else a new one
 */
record Seed(long value) {
  private static final String PROPERTY = "postroad.seed";

  /** Takes a seed and prints how to use it again. */
  static Seed printed(String test) {
    @Nullable String given = System.getProperty(PROPERTY);
    long value =
        given == null || given.isBlank()
            ? new SecureRandom().nextInt(1_000_000)
            : Long.parseLong(given);
    Seed seed = new Seed(value);
    System.out.println(test + ": " + seed);
    return seed;
  }

  SplittableRandom random() {
    return new SplittableRandom(value);
  }

  /** For output and assertion messages. */
  @Override
  public String toString() {
    return "seed " + value + " (again with -D" + PROPERTY + "=" + value + ")";
  }
}
