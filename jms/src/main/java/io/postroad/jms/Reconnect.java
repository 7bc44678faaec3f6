package io.postroad.jms;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when to try again, and logs it: one line for the first failure and one for the recovery,
 * however many attempts there are in between. Thread-safe.
 */
final class Reconnect {
  private static final Logger LOG = LoggerFactory.getLogger("io.postroad.jms");

  private final String name;
  private final String problem;
  private final long firstNanos;
  private final long maxNanos;
  private long waitNanos;
  private long nextTry = System.nanoTime();
  private long failingSince;
  private int tries;

  Reconnect(String name, String problem, Duration after, Duration atMost) {
    this.name = name;
    this.problem = problem;
    this.firstNanos = after.toNanos();
    this.maxNanos = atMost.toNanos();
  }

  /** Returns the wait before the next attempt; 0 or less if it is due. */
  synchronized long nanosToNextTry() {
    return nextTry - System.nanoTime();
  }

  synchronized void failed(String why) {
    long now = System.nanoTime();
    if (tries > 0 && nextTry - now > 0) {
      return; // Another thread has just reported the failure.
    }
    if (tries == 0) {
      failingSince = now;
      LOG.warn("{}: {}, trying again until it works: {}", name, problem, why);
    } else {
      LOG.debug("{}: still {}, try={}: {}", name, problem, tries, why);
    }
    waitNanos = tries == 0 ? firstNanos : Math.min(maxNanos, 2 * waitNanos);
    nextTry = now + waitNanos;
    tries++;
  }

  synchronized void succeeded() {
    if (tries > 0) {
      LOG.info(
          "{}: no longer {}, tries={} after={}",
          name,
          problem,
          tries,
          Duration.ofNanos(System.nanoTime() - failingSince));
      tries = 0;
    }
  }
}
