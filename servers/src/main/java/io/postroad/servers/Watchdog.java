package io.postroad.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Ends a child process and removes its files when this JVM ends, even by SIGKILL.
 *
 * <p>The guard is {@code watchdog.sh}, blocked on a pipe of which only this JVM holds the writing
 * end: the kernel closes it whatever happens to us. (The parent-death signal is no help, it fires
 * when the starting <em>thread</em> ends, and a frozen process cannot act on its own.)
 *
 * <p>Not thread-safe; its owner is.
 */
final class Watchdog implements AutoCloseable {
  private static final Duration CLEANS_UP_WITHIN = Duration.ofSeconds(30);

  private final Process guard;
  private volatile boolean closed;

  private Watchdog(Process guard) {
    this.guard = guard;
  }

  /** Guards a process with all its descendants, and a directory. */
  static Watchdog overTree(Path directory) {
    return start(List.of("tree", directory.toString()));
  }

  /** Guards one process only: the servers that a child JVM starts have a watchdog of their own. */
  static Watchdog overOne() {
    return start(List.of("self"));
  }

  private static Watchdog start(List<String> scope) {
    List<String> command = new ArrayList<>();
    // In a session of its own, where there is a command for it: "kill -9" of our process group,
    // with
    // which shells and build servers end jobs, must not hit the guard too.
    if (Commands.works(List.of("setsid", "true"))) {
      command.add("setsid");
    }
    command.addAll(List.of("sh", "-c", script(), "watchdog"));
    command.addAll(scope);
    try {
      return new Watchdog(
          new ProcessBuilder(command)
              .directory(Path.of("/").toFile())
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new ServerException(
          "cannot start the watchdog that ends child processes with this JVM; it needs a POSIX sh"
              + " on the PATH",
          e);
    }
  }

  long pid() {
    return guard.pid();
  }

  /** From now on, ends this process; it is safe from the moment this returns. */
  void guard(long pid) {
    tell(Long.toString(pid));
  }

  /** From now on, ends nothing but what works in the directory: the process has ended. */
  void release() {
    if (!closed) {
      tell("");
    }
  }

  private void tell(String line) {
    OutputStream pipe = guard.getOutputStream();
    try {
      pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
      pipe.flush();
    } catch (IOException e) {
      throw new ServerException(
          "the watchdog (process %d) is gone, so a child process could outlive this JVM; was it killed?"
              .formatted(guard.pid()),
          e);
    }
  }

  /** Makes the watchdog do its work now, and returns when it has. */
  @Override
  public void close() {
    closed = true;
    try {
      guard.getOutputStream().close();
      if (!guard.waitFor(CLEANS_UP_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
        throw new ServerException(
            "the watchdog (process %d) has not cleaned up within %s; it goes on by itself"
                .formatted(guard.pid(), CLEANS_UP_WITHIN));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      // The watchdog works without this thread.
      Thread.currentThread().interrupt();
    }
  }

  private static String script() {
    try (InputStream script = Watchdog.class.getResourceAsStream("watchdog.sh")) {
      if (script == null) {
        throw new ServerException("watchdog.sh is missing from the class path of postroad-servers");
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
