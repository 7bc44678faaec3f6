package io.postroad.example.kit;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

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

  /** What is done with the servers of a run. */
  @FunctionalInterface
  public interface Run<S> {
    /** Whether all is as it should be. */
    boolean holds(S servers) throws Exception;
  }

  /**
   * The {@code main} of an example: starts its servers, does what the arguments ask for, closes
   * them, and ends this process with 0 only if all is as it should be.
   *
   * @throws IllegalArgumentException before anything is started, naming what is not understood
   */
  public static <S extends AutoCloseable> void main(
      String[] args, Supplier<S> servers, Run<S> serve, Run<S> smoke, Run<S> kill)
      throws Exception {
    Task task = of(args);
    boolean ok;
    try (S started = servers.get()) {
      ok =
          switch (task) {
            case SERVE -> serve.holds(started);
            case SMOKE -> smoke.holds(started);
            case KILL -> kill.holds(started);
          };
    }
    System.exit(ok ? 0 : 1);
  }

  /** From {@code APP_PORT}. */
  public static int portOr(int usual) {
    return Integer.parseInt(System.getenv().getOrDefault("APP_PORT", Integer.toString(usual)));
  }
}
