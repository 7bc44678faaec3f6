package io.postroad.internal.process.runtime;

import io.postroad.internal.loop.Ticker;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Processes that this node could not move, however often it tried: they are left out for a while,
 * so that they do not keep others waiting. Known to this node only, and gone with it: another one
 * may have what this one lacks, and tries for itself. Safe to use from many threads.
 */
public final class FailingProcesses {
  /** So many failures in a row are no accident. */
  static final int TRIES = 5;

  private static final Duration LEFT_OUT_FOR = Duration.ofMinutes(1);
  private static final int MOST = 1_000;

  private final Ticker ticker;
  private final Map<UUID, Failures> failing = new LinkedHashMap<>();

  public FailingProcesses(Ticker ticker) {
    this.ticker = ticker;
  }

  private record Failures(int count, long latest) {}

  /** What a failure is among those of its process. */
  enum Weight {
    /** It may go away. */
    ONE_MORE,
    /** It is left out from now on. */
    LAST_STRAW,
    /** It was left out before. */
    KNOWN
  }

  synchronized Weight failed(UUID process) {
    Failures before = failing.remove(process);
    int count = before == null ? 1 : Math.min(before.count(), TRIES) + 1;
    failing.put(process, new Failures(count, ticker.nanos()));
    if (failing.size() > MOST) {
      failing.remove(failing.keySet().iterator().next());
    }
    if (count < TRIES) {
      return Weight.ONE_MORE;
    }
    return count == TRIES ? Weight.LAST_STRAW : Weight.KNOWN;
  }

  synchronized void moved(UUID process) {
    failing.remove(process);
  }

  /** Those that are left out now. */
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
