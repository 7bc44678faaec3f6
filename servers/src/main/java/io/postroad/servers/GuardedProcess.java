package io.postroad.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A child process that a {@link Watchdog} knew before it ran its first instruction.
 *
 * <p>The child begins as a shell that waits for one line and then becomes the command. If this JVM
 * dies before the watchdog knows the process id, the shell reads the end of its input and leaves.
 */
final class GuardedProcess {
  private static final String GATE = "read -r go && exec \"$@\"";

  private final Process process;
  private final Watchdog watchdog;

  private GuardedProcess(Process process, Watchdog watchdog) {
    this.process = process;
    this.watchdog = watchdog;
  }

  /**
   * @param builder the command to run, its directory and its redirections
   */
  static GuardedProcess start(ProcessBuilder builder, Watchdog watchdog) {
    List<String> gated = new ArrayList<>(List.of("sh", "-c", GATE, "gate"));
    gated.addAll(builder.command());
    try {
      Process process = builder.command(gated).start();
      GuardedProcess guarded = new GuardedProcess(process, watchdog);
      watchdog.guard(process.pid());
      guarded.sendLine("go");
      return guarded;
    } catch (IOException e) {
      throw new ServerException("cannot start %s: %s".formatted(gated.get(4), e.getMessage()), e);
    }
  }

  long pid() {
    return process.pid();
  }

  Process process() {
    return process;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void sendLine(String line) {
    try {
      OutputStream input = process.getOutputStream();
      input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot write to process %d; has it ended?".formatted(pid()), e);
    }
  }

  /** Returns whether the process ended in time; then the watchdog forgets it. */
  boolean awaitExit(Duration atMost) {
    try {
      if (!process.waitFor(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while waiting for process " + pid() + " to end", e);
    }
    watchdog.release();
    return true;
  }
}
