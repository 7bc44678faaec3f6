package io.postroad.spi.hint;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The one place where stores make threads, and the waits that can be left at once. Thread-safe. */
public final class Threads {
  private static final long MOMENT_MILLIS = 2_000;

  private Threads() {}

  /** A thread that does not keep the process alive; not started. */
  public static Thread daemon(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Waits, but no longer than until {@code stopped} or an interrupt. */
  public static void pause(long millis, BooleanSupplier stopped) {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = end - System.nanoTime();
        left > 0 && !stopped.getAsBoolean() && !Thread.currentThread().isInterrupted();
        left = end - System.nanoTime()) {
      LockSupport.parkNanos(Threads.class, left);
    }
  }

  /**
   * Does what an interrupt must not keep from being done; the interrupt is there again after it.
   */
  public static void uninterrupted(Runnable action) {
    boolean wasInterrupted = Thread.interrupted();
    try {
      action.run();
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Makes a thread leave its wait, and gives it a moment to end. */
  public static void end(Thread thread) {
    thread.interrupt();
    hasEnded(thread);
  }

  /** Gives a thread a moment to end; says whether it has, or need not be waited for. */
  public static boolean hasEnded(Thread thread) {
    if (thread == Thread.currentThread()) {
      return true;
    }
    try {
      thread.join(MOMENT_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }
}
