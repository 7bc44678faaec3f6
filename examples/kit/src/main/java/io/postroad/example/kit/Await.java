package io.postroad.example.kit;

import java.time.Duration;

/** Polls a condition that no signal announces. */
public final class Await {
  private static final long POLL_EVERY_MILLIS = 100;

  private Await() {}

  /** A condition that may hold by now. */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    boolean holds() throws E;
  }

  /** Waits for a condition. Returns whether it held in time. */
  public static <E extends Exception> boolean until(Condition<E> condition, Duration atMost)
      throws E, InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - deadline >= 0) {
        return false;
      }
      Thread.sleep(POLL_EVERY_MILLIS);
    }
    return true;
  }
}
