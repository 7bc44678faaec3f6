package io.postroad.jms;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When to try again, and what is said about it: one line when trouble begins, one when it is over,
 * however often it is tried in between. Thread-safe.
 */
final class Reconnect {
  private static final Logger LOG = LoggerFactory.getLogger("io.postroad.jms");

  private final String name;
  private final String trouble;
  private final long firstNanos;
  private final long mostNanos;
  private long waitNanos;
  private long nextTry = System.nanoTime();
  private long troubleSince;
  private int tries;

  Reconnect(String name, String trouble, Duration after, Duration atMost) {
    this.name = name;
    this.trouble = trouble;
    this.firstNanos = after.toNanos();
    this.mostNanos = atMost.toNanos();
  }

  /** How long to wait before the next try; 0 or less when it is due. */
  synchronized long nanosToNextTry() {
    return nextTry - System.nanoTime();
  }

  synchronized void failed(String why) {
    long now = System.nanoTime();
    if (tries > 0 && nextTry - now > 0) {
      return; // Another thread has just said so.
    }
    if (tries == 0) {
      troubleSince = now;
      LOG.warn("{}: {}, trying again until it works: {}", name, trouble, why);
    } else {
      LOG.debug("{}: still {}, try={}: {}", name, trouble, tries, why);
    }
    waitNanos = tries == 0 ? firstNanos : Math.min(mostNanos, 2 * waitNanos);
    nextTry = now + waitNanos;
    tries++;
  }

  synchronized void succeeded() {
    if (tries > 0) {
      LOG.info(
          "{}: no longer {}, tries={} after={}",
          name,
          trouble,
          tries,
          Duration.ofNanos(System.nanoTime() - troubleSince));
      tries = 0;
    }
  }
}
