package io.postroad.servers;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A Java main class in a JVM of its own, on the class path of this one, to be killed or frozen at
 * will.
 *
 * <p>Thread-safe. It ends with this JVM, however that ends and even if frozen. Kill and freeze act
 * on that one process; servers that it started through this module end with it, by their own
 * watchdog.
 */
public final class ChildJvm implements AutoCloseable {
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(30);
  private static final int TAIL_LINES = 40;

  private final String name;
  private final Watchdog watchdog;
  private final GuardedProcess process;
  private final ChildOutput output;

  private ChildJvm(String name, Watchdog watchdog, GuardedProcess process) {
    this.name = name;
    this.watchdog = watchdog;
    this.process = process;
    this.output = ChildOutput.of(process.process().getInputStream(), name + "-output");
  }

  /** Starts a main class with the default options. */
  public static ChildJvm start(Class<?> main, String... args) {
    return start(ChildJvmOptions.of(main).withArgs(args));
  }

  public static ChildJvm start(ChildJvmOptions options) {
    ProcessBuilder builder =
        new ProcessBuilder(
                JavaCommand.of(
                    System.getProperty("java.class.path"),
                    options.jvmArgs(),
                    options.mainClass(),
                    options.args()))
            .redirectErrorStream(true);
    builder.environment().putAll(options.environment());
    Watchdog watchdog = Watchdog.overOne();
    try {
      return new ChildJvm(options.mainClass(), watchdog, GuardedProcess.start(builder, watchdog));
    } catch (RuntimeException e) {
      watchdog.close();
      throw e;
    }
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Writes a line to its standard input. */
  public synchronized void sendLine(String line) {
    process.sendLine(line);
  }

  /**
   * Returns the first line it prints, on standard output or error, that is wanted. Each line is
   * looked at by one call only.
   */
  public String awaitLine(Predicate<String> wanted, Duration atMost) {
    try {
      return output
          .await(wanted, atMost)
          .orElseThrow(
              () ->
                  new ServerException(
                      "%s (process %d) has not printed the expected line within %s or before its end; its last lines:%n%s"
                          .formatted(name, pid(), atMost, tail())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while waiting for a line of " + name, e);
    }
  }

  /** Everything it has printed so far, but not more than the last 10,000 lines. */
  public List<String> output() {
    return output.lines();
  }

  /** Returns its exit code, 128 + the signal's number if a signal ended it. */
  public int awaitExit(Duration atMost) {
    if (!process.awaitExit(atMost)) {
      throw new ServerException(
          "%s (process %d) still runs after %s; its last lines:%n%s"
              .formatted(name, pid(), atMost, tail()));
    }
    return process.process().exitValue();
  }

  /** Ends it with SIGKILL, frozen or not, and returns when it is gone. */
  public synchronized void kill() {
    requireAlive("kill");
    Signals.send("KILL", Set.of(pid()));
    awaitExit(ENDS_WITHIN);
  }

  /** Suspends it and returns when none of its threads runs any more. */
  public synchronized void freeze() {
    requireAlive("freeze");
    Signals.suspend(pid());
  }

  /** Lets it go on. */
  public synchronized void unfreeze() {
    requireAlive("unfreeze");
    Signals.send("CONT", Set.of(pid()));
  }

  /** Kills it if it still runs; closing twice is legal. */
  @Override
  public synchronized void close() {
    watchdog.close();
  }

  private void requireAlive(String call) {
    if (!isAlive()) {
      throw new IllegalStateException(
          "cannot %s %s (process %d): it ended with exit code %d"
              .formatted(call, name, pid(), process.process().exitValue()));
    }
  }

  private String tail() {
    List<String> lines = output.lines();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
  }
}
