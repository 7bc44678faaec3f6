package io.postroad.internal.loop;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Waits for a signal, at most for a given time. A signal between two waits is not lost. */
public final class Waiter {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean signalled;

  /** Ends the current wait; without one, the next wait ends at once. */
  public void signal() {
    lock.lock();
    try {
      signalled = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits; an interrupt ends the wait and stays set. */
  public void await(Duration atMost) {
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (!signalled && left > 0) {
        left = changed.awaitNanos(left);
      }
      signalled = false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
