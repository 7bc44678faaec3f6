package io.postroad.example.kit;

import java.util.Arrays;
import java.util.List;

/** What the arguments of {@code bin/example} ask for. */
public enum Task {
  /** Run until interrupted. */
  SERVE,
  /** Try the main path. */
  SMOKE,
  /** Kill it under load, start it again, and compare. */
  KILL;

  /**
   * @throws IllegalArgumentException naming what is not understood
   */
  public static Task of(String... args) {
    List<String> given = Arrays.asList(args);
    if (given.isEmpty()) {
      return SERVE;
    }
    if (given.equals(List.of("--smoke"))) {
      return SMOKE;
    }
    if (given.equals(List.of("--smoke", "--kill"))) {
      return KILL;
    }
    throw new IllegalArgumentException("takes nothing, --smoke or --smoke --kill, got: " + given);
  }

  /** From {@code APP_PORT}. */
  public static int portOr(int usual) {
    return Integer.parseInt(System.getenv().getOrDefault("APP_PORT", Integer.toString(usual)));
  }
}
