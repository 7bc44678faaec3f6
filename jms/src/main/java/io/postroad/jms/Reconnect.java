package io.postroad.jms;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When to try to connect again, and what is said about it: one line when trouble begins, one when
 * it is over, however often it is tried in between. Guarded by its user's lock.
 */
final class Reconnect {
  private static final Logger LOG = LoggerFactory.getLogger("io.postroad.jms");

  private final String name;
  private final long firstNanos;
  private final long mostNanos;
  private long waitNanos;
  private long nextTry = System.nanoTime();
  private long troubleSince;
  private int tries;

  Reconnect(String name, Duration after, Duration atMost) {
    this.name = name;
    this.firstNanos = after.toNanos();
    this.mostNanos = atMost.toNanos();
  }

  /** How long to wait before the next try; 0 or less when it is due. */
  long nanosToNextTry() {
    return nextTry - System.nanoTime();
  }

  void failed(String why) {
    long now = System.nanoTime();
    if (tries == 0) {
      troubleSince = now;
      LOG.warn("{}: no connection to the broker, trying until there is one: {}", name, why);
    } else {
      LOG.debug("{}: still no connection, try={}: {}", name, tries, why);
    }
    waitNanos = tries == 0 ? firstNanos : Math.min(mostNanos, 2 * waitNanos);
    nextTry = now + waitNanos;
    tries++;
  }

  void succeeded() {
    if (tries > 0) {
      LOG.info(
          "{}: connected again, tries={} after={}",
          name,
          tries,
          Duration.ofNanos(System.nanoTime() - troubleSince));
      tries = 0;
    }
  }
}
