package io.postroad.example.kit;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** The task that the arguments of {@code bin/example} select. */
public enum Task {
  /** Runs until interrupted. */
  SERVE,
  /** Tries the main path. */
  SMOKE,
  /** Kills the application under load, starts it again, and compares the results. */
  KILL;

  /**
   * Returns the task for the arguments.
   *
   * @throws IllegalArgumentException if the arguments are unknown; the text has them
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

  /** Runs a task with the started servers. */
  @FunctionalInterface
  public interface Run<S> {
    /** Returns whether all checks passed. */
    boolean holds(S servers) throws Exception;
  }

  /**
   * Runs the {@code main} method of an example: starts its servers, runs the task, closes the
   * servers, and ends this process with 0 only if all checks passed.
   *
   * @throws IllegalArgumentException if the arguments are unknown; then nothing is started
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

  /** Returns the port of {@code APP_PORT}, or the default. */
  public static int portOr(int usual) {
    return Integer.parseInt(System.getenv().getOrDefault("APP_PORT", Integer.toString(usual)));
  }
}
