package io.postroad.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Short-lived commands, run to their end. */
final class Commands {
  private Commands() {}

  private record Result(int exitCode, String output) {}

  /**
   * Runs a command that must succeed; {@code purpose} completes "cannot ...".
   *
   * @param directory where it runs: inside a {@link ServerHome}, the watchdog ends it with this JVM
   */
  static void run(String purpose, Path directory, List<String> command) {
    Result result;
    try {
      result = result(new ProcessBuilder(command).directory(directory.toFile()));
    } catch (IOException e) {
      throw new ServerException("cannot " + purpose + ": " + e.getMessage(), e);
    }
    if (result.exitCode() != 0) {
      throw new ServerException(
          "cannot %s: %s ended with exit code %d and printed:%n%s"
              .formatted(purpose, command.get(0), result.exitCode(), result.output()));
    }
  }

  /** Whether the command exists here and succeeds. */
  static boolean works(List<String> command) {
    try {
      return result(new ProcessBuilder(command)).exitCode() == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  private static Result result(ProcessBuilder builder) throws IOException {
    Process process = builder.redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      byte[] output = process.getInputStream().readAllBytes();
      return new Result(process.waitFor(), new String(output, StandardCharsets.UTF_8).strip());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while running " + builder.command().get(0), e);
    } finally {
      process.destroyForcibly();
    }
  }
}
