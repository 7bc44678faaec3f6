package io.postroad.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Signals to processes and process trees; Java itself can only send SIGTERM and SIGKILL. */
final class Signals {
  private static final Duration TAKES_EFFECT = Duration.ofSeconds(30);

  private Signals() {}

  /** Sends one signal to each of the processes; those that have ended already are left out. */
  static void send(String signal, Collection<Long> pids) {
    StringBuilder script = new StringBuilder();
    for (long pid : pids) {
      script.append("kill -").append(signal).append(' ').append(pid).append(" 2>/dev/null\n");
    }
    Commands.run(
        "send SIG" + signal + " to " + pids,
        Path.of("/"),
        List.of("sh", "-c", script.append("true").toString()));
  }

  /** Suspends one process and returns when it no longer runs. */
  static void suspend(long pid) {
    send("STOP", Set.of(pid));
    awaitSuspended(Set.of(pid));
  }

  /**
   * Suspends a process and all its descendants, and returns them when none of them runs.
   *
   * <p>Parents come first and the search is repeated: a suspended process cannot fork, so the last
   * search misses none.
   */
  static Set<Long> suspendTree(long root) {
    Set<Long> suspended = new LinkedHashSet<>();
    Set<Long> found = Set.of(root);
    while (!found.isEmpty()) {
      send("STOP", found);
      awaitSuspended(found);
      suspended.addAll(found);
      found = ProcessTable.tree(root);
      found.removeAll(suspended);
    }
    return suspended;
  }

  /** Kills processes with SIGKILL and returns when they are gone; being frozen does not help. */
  static void kill(Set<Long> pids) {
    send("KILL", pids);
    Await.until(
        TAKES_EFFECT,
        () -> pids.stream().allMatch(ProcessTable::isGone),
        () -> "processes " + pids + " got SIGKILL but have not ended within " + TAKES_EFFECT);
  }

  private static void awaitSuspended(Set<Long> pids) {
    Await.until(
        TAKES_EFFECT,
        () -> pids.stream().allMatch(ProcessTable::isSuspended),
        () -> "processes " + pids + " got SIGSTOP but still run after " + TAKES_EFFECT);
  }
}
