package io.postroad.internal.relay.lane;

import java.time.Duration;

/**
 * How long to let messages gather before the next read. A read and what follows it cost nearly the
 * same for one message as for thirty, so when many come they are read together; when few come,
 * nobody waits. Used by one thread.
 */
final class Gathering {
  private static final Duration LONGEST = Duration.ofMillis(8);

  /** As many as are worth waiting for; with fewer than half of them to come, nobody waits. */
  private static final int WORTH = 32;

  /** How much of what is known about the rate each pass leaves. */
  private static final double MEMORY = 0.9;

  private double messages;
  private double nanos = 1;

  /** What one pass read, and how long after the end of the pass before it this one ended. */
  void passed(int read, Duration sincePassBefore) {
    messages = MEMORY * messages + read;
    nanos = MEMORY * nanos + Math.max(1, sincePassBefore.toNanos());
  }

  /** How long to wait before the next read. */
  Duration pause() {
    double expected = messages / nanos * LONGEST.toNanos();
    return expected < WORTH / 2.0
        ? Duration.ZERO
        : Duration.ofNanos((long) (LONGEST.toNanos() * Math.min(1, WORTH / expected)));
  }
}
