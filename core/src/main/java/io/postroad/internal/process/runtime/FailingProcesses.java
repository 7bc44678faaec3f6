package io.postroad.internal.process.runtime;

import io.postroad.internal.loop.Ticker;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Counts failures of processes on this node. A process that failed several times in a row is left
 * out for a while, so that it does not delay others. Other nodes count for themselves, because they
 * may have code that this node lacks. Safe to use from many threads.
 */
public final class FailingProcesses {
  /** The number of failures in a row after which a process is left out. */
  static final int TRIES = 5;

  private static final Duration LEFT_OUT_FOR = Duration.ofMinutes(1);
  private static final int MOST = 1_000;

  private final Ticker ticker;
  private final Map<UUID, Failures> failing = new LinkedHashMap<>();

  public FailingProcesses(Ticker ticker) {
    this.ticker = ticker;
  }

  private record Failures(int count, long latest) {}

  /** How a failure counts. */
  enum Consequence {
    /** The process is tried again soon. */
    RETRY,
    /** The process is left out from now on. */
    LEFT_OUT,
    /** The process was left out before. */
    STILL_LEFT_OUT
  }

  synchronized Consequence failed(UUID process) {
    Failures before = failing.remove(process);
    int count = before == null ? 1 : Math.min(before.count(), TRIES) + 1;
    failing.put(process, new Failures(count, ticker.nanos()));
    if (failing.size() > MOST) {
      failing.remove(failing.keySet().iterator().next());
    }
    if (count < TRIES) {
      return Consequence.RETRY;
    }
    return count == TRIES ? Consequence.LEFT_OUT : Consequence.STILL_LEFT_OUT;
  }

  synchronized void succeeded(UUID process) {
    failing.remove(process);
  }

  /** Returns the processes that are left out now. */
  synchronized Set<UUID> leftOut() {
    Set<UUID> out = new HashSet<>();
    failing.forEach(
        (process, failures) -> {
          if (failures.count() >= TRIES
              && ticker.since(failures.latest()).compareTo(LEFT_OUT_FOR) < 0) {
            out.add(process);
          }
        });
    return out;
  }
}
