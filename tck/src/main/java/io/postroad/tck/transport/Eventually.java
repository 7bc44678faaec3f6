package io.postroad.tck.transport;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other threads do. */
final class Eventually {
  private Eventually() {}

  /** Something that is true, or fails with an {@link AssertionError}. */
  @FunctionalInterface
  interface ThrowingAssert {
    void run() throws Exception;
  }

  /** Looks again and again until an assertion holds, and fails as it does after two minutes. */
  static void holds(ThrowingAssert assertion) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (true) {
      try {
        assertion.run();
        return;
      } catch (AssertionError notYet) {
        if (System.nanoTime() > end) {
          throw notYet;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }
  }
}
