package io.postroad.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Prints the progress: sentences, and a progress line that is rewritten on a terminal and repeated
 * elsewhere. Thread-safe.
 */
final class Narrator {
  private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
  private static final String ERASE_LINE = "\r\u001b[2K";

  private final PrintStream out;
  private final boolean terminal;
  private boolean lineOpen;

  private Narrator(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  static Narrator ofThisProcess() {
    return new Narrator(System.out, isTerminal());
  }

  static Narrator plain(PrintStream out) {
    return new Narrator(out, false);
  }

  /** Returns the interval of progress lines. */
  Duration pace() {
    return terminal ? Duration.ofMillis(200) : Duration.ofSeconds(1);
  }

  synchronized void say(String sentence) {
    closeLine();
    out.println(sentence);
    out.flush();
  }

  synchronized void progress(String line) {
    if (terminal) {
      out.print(ERASE_LINE + line);
      lineOpen = true;
    } else {
      out.println(line);
    }
    out.flush();
  }

  private void closeLine() {
    if (lineOpen) {
      out.println();
      lineOpen = false;
    }
  }

  /**
   * Detects a terminal. Java's console is null if only the input is redirected, and never null from
   * 22 on.
   */
  private static boolean isTerminal() {
    try {
      return Files.readSymbolicLink(STANDARD_OUTPUT)
          .toString()
          .matches("/dev/(pts/|tty|console).*");
    } catch (IOException notLinux) {
      return false;
    }
  }
}
