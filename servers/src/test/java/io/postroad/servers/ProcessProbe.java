package io.postroad.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;

/** What tests ask about processes they only know by id. */
final class ProcessProbe {
  private static final Duration SOON = Duration.ofSeconds(30);

  private ProcessProbe() {}

  static void awaitGone(Collection<Long> pids) {
    Await.until(
        SOON,
        () -> pids.stream().allMatch(ProcessTable::isGone),
        () -> "processes %s still run after %s".formatted(pids, SOON));
  }

  static void awaitRemoved(Path directory) {
    Await.until(
        SOON,
        () -> !Files.exists(directory),
        () -> "%s is still there after %s".formatted(directory, SOON));
  }
}
