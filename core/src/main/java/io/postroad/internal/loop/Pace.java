package io.postroad.internal.loop;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Chooses how long to wait between polls: short after work, then longer up to a limit. Adds jitter,
 * so that nodes that began together do not poll together. Used by one thread.
 */
public final class Pace {
  private final Duration shortest;
  private final Duration longest;
  private final RandomGenerator random;
  private Duration next;

  public Pace(Duration shortest, Duration longest, RandomGenerator random) {
    this.shortest = shortest.compareTo(longest) < 0 ? shortest : longest;
    this.longest = longest;
    this.random = random;
    this.next = this.shortest;
  }

  /** Returns the pace of retries after a failure: 100 ms, then longer, 2 s at most. */
  public static Pace ofTrouble() {
    return new Pace(Duration.ofMillis(100), Duration.ofSeconds(2), new SplittableRandom());
  }

  public void reset() {
    next = shortest;
  }

  public Duration next() {
    Duration wait = next;
    Duration doubled = next.multipliedBy(2);
    next = doubled.compareTo(longest) < 0 ? doubled : longest;
    return wait.minusNanos((long) (wait.toNanos() * 0.2 * random.nextDouble()));
  }
}
