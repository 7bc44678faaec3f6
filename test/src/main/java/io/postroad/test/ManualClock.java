package io.postroad.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * A clock that stands still until it is moved, and then only forward. In whole microseconds, like
 * the clocks of databases.
 *
 * <p>Safe to use from many threads.
 */
public final class ManualClock implements InstantSource {
  private Instant now;

  private ManualClock(Instant start) {
    now = start.truncatedTo(ChronoUnit.MICROS);
  }

  /** A clock that shows this time. */
  public static ManualClock startingAt(Instant start) {
    return new ManualClock(start);
  }

  /** A clock that shows the time at which it was made. */
  public static ManualClock startingNow() {
    return new ManualClock(InstantSource.system().instant());
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  /**
   * Moves the clock forward.
   *
   * @return the time it shows now
   */
  public synchronized Instant advance(Duration by) {
    return advanceTo(now.plus(by));
  }

  /**
   * Moves the clock forward to this time.
   *
   * @return the time it shows now
   */
  public synchronized Instant advanceTo(Instant time) {
    Instant next = time.truncatedTo(ChronoUnit.MICROS);
    if (next.isBefore(now)) {
      throw new IllegalArgumentException(
          "a ManualClock goes forward only: it shows %s, got %s".formatted(now, time));
    }
    now = next;
    return now;
  }

  @Override
  public String toString() {
    return "ManualClock[" + instant() + "]";
  }
}
