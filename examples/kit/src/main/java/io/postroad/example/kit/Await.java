package io.postroad.example.kit;

import java.time.Duration;

/** Looks again and again, for what no signal tells. */
public final class Await {
  private static final long LOOK_EVERY_MILLIS = 100;

  private Await() {}

  /** What may hold by now. */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    boolean holds() throws E;
  }

  /** Whether it holds in time. */
  public static <E extends Exception> boolean until(Condition<E> condition, Duration atMost)
      throws E, InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - deadline >= 0) {
        return false;
      }
      Thread.sleep(LOOK_EVERY_MILLIS);
    }
    return true;
  }
}
