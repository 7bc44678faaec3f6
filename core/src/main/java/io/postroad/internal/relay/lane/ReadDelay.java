package io.postroad.internal.relay.lane;

import java.time.Duration;

/**
 * Chooses how long to wait before the next read, so that messages gather. A read and the work after
 * it cost nearly the same for one message as for thirty. When many messages come they are read
 * together; when few come, the lane does not wait. Used by one thread.
 */
final class ReadDelay {
  private static final Duration LONGEST = Duration.ofMillis(8);

  /** The number of messages worth waiting for; with less than half of it to come, no wait. */
  private static final int WORTH = 32;

  /** The share of the known rate that remains after each pass. */
  private static final double MEMORY = 0.9;

  private double messages;
  private double nanos = 1;

  /** Records how many messages a pass read, and how long after the pass before it ended. */
  void passed(int read, Duration sincePassBefore) {
    messages = MEMORY * messages + read;
    nanos = MEMORY * nanos + Math.max(1, sincePassBefore.toNanos());
  }

  /** Returns how long to wait before the next read. */
  Duration next() {
    double expected = messages / nanos * LONGEST.toNanos();
    return expected < WORTH / 2.0
        ? Duration.ZERO
        : Duration.ofNanos((long) (LONGEST.toNanos() * Math.min(1, WORTH / expected)));
  }
}
