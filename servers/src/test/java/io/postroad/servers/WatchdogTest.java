package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WatchdogTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  void frozenChildrenEndWithAJvmThatIsKilled() {
    childrenEndWith(ChildJvm::kill);
  }

  @Test
  void frozenChildrenEndWithAJvmThatLeaves() {
    childrenEndWith(jvm -> jvm.sendLine("leave"));
  }

  private static void childrenEndWith(Consumer<ChildJvm> end) {
    try (ChildJvm jvm = ChildJvm.start(StarterMain.class)) {
      Path home = Path.of(jvm.awaitLine(line -> line.startsWith("home "), SOON).substring(5));
      List<Long> pids =
          Stream.of(jvm.awaitLine(line -> line.startsWith("pids "), SOON).substring(5).split(" "))
              .map(Long::valueOf)
              .toList();
      assertThat(pids).hasSizeGreaterThan(4).noneMatch(ProcessTable::isGone);
      assertThat(home).isDirectory();

      end.accept(jvm);

      ProcessProbe.awaitGone(pids);
      ProcessProbe.awaitRemoved(home);
    }
  }

  @Test
  void theGuardIsInASessionOfItsOwn() throws Exception {
    Assumptions.assumeTrue(
        Commands.works(List.of("setsid", "true")), "setsid of util-linux is not installed");
    try (Watchdog watchdog = Watchdog.overOne()) {
      Path status = Path.of("/proc/" + watchdog.pid() + "/stat");
      Await.until(
          SOON,
          () -> session(status) == watchdog.pid(),
          () -> "session of the guard is " + session(status));
    }
  }

  private static long session(Path status) {
    try {
      String stat = Files.readString(status);
      return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[3]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aProcessThatWasReleasedIsLeftAlone() throws Exception {
    Process sleeper = new ProcessBuilder("sleep", "600").start();
    try (Watchdog watchdog = Watchdog.overOne()) {
      watchdog.guard(sleeper.pid());
      watchdog.release();
    }
    assertThat(ProcessTable.isGone(sleeper.pid())).isFalse();
    Signals.kill(Set.of(sleeper.pid()));
  }

  /** As when a JVM with several servers ends. */
  @Test
  void guardsThatWorkAtTheSameTimeLeaveEachOtherAlone(@TempDir Path parent) throws Exception {
    for (int round = 0; round < 5; round++) {
      List<Watchdog> watchdogs = new ArrayList<>();
      List<Path> homes = new ArrayList<>();
      List<Long> pids = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Path home = Files.createDirectory(parent.resolve(round + "-" + i)).toRealPath();
        Process sleeper = new ProcessBuilder("sleep", "600").directory(home.toFile()).start();
        Watchdog watchdog = Watchdog.overTree(home);
        watchdog.guard(sleeper.pid());
        watchdogs.add(watchdog);
        homes.add(home);
        pids.add(sleeper.pid());
      }

      List<Thread> closing =
          watchdogs.stream().map(watchdog -> new Thread(watchdog::close)).toList();
      closing.forEach(Thread::start);
      for (Thread thread : closing) {
        thread.join();
      }

      ProcessProbe.awaitGone(pids);
      assertThat(homes).noneMatch(home -> Files.exists(home));
    }
  }

  @Test
  void theGuardedProcessMayChange() throws Exception {
    Process first = new ProcessBuilder("sleep", "600").start();
    Process second = new ProcessBuilder("sleep", "600").start();
    try (Watchdog watchdog = Watchdog.overOne()) {
      watchdog.guard(first.pid());
      watchdog.guard(second.pid());
    }
    ProcessProbe.awaitGone(Set.of(second.pid()));
    assertThat(ProcessTable.isGone(first.pid())).isFalse();
    Signals.kill(Set.of(first.pid()));
  }

  @Test
  void directoriesWithOddNamesAreRemovedAndTheirNeighboursKept(@TempDir Path parent)
      throws Exception {
    Path odd = Files.createDirectory(parent.resolve("it's $HOME * x")).toRealPath();
    Files.createDirectories(odd.resolve("data/base"));
    Path neighbour = Files.createDirectory(parent.resolve("it's $HOME * xy"));
    Watchdog.overTree(odd).close();
    assertThat(odd).doesNotExist();
    assertThat(neighbour).isDirectory();
  }
}
