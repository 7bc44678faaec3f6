package io.postroad.internal.loop;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts threads whose work does not return in time, and tells of those that do not mind it.
 * Safe to use from many threads.
 */
public final class Alarms implements AutoCloseable {
  private final ScheduledThreadPoolExecutor clock;

  public Alarms(ThreadFactory threads) {
    clock = new ScheduledThreadPoolExecutor(1, threads);
    clock.setRemoveOnCancelPolicy(true);
  }

  /** Begins to watch this thread, which is interrupted after {@code limit}. */
  public Alarm set(Duration limit) {
    Alarm alarm = new Alarm(Thread.currentThread());
    alarm.interrupt = schedule(alarm::ring, limit);
    return alarm;
  }

  /**
   * {@link #set(Duration)}, and then waits no longer than {@code grace} for it.
   *
   * @param givenUp runs on a thread that must not be blocked, if the work has not returned by then
   */
  public Alarm set(Duration limit, Duration grace, Runnable givenUp) {
    Alarm alarm = set(limit);
    alarm.giveUp = schedule(() -> alarm.giveUp(givenUp), limit.plus(grace));
    return alarm;
  }

  private Future<?> schedule(Runnable action, Duration delay) {
    return clock.schedule(action, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }

  /** Set for one piece of work, by the thread that does it. */
  public static final class Alarm {
    private final Thread runner;
    private @Nullable Future<?> interrupt;
    private @Nullable Future<?> giveUp;
    private boolean off;
    private boolean rang;

    private Alarm(Thread runner) {
      this.runner = runner;
    }

    private synchronized void ring() {
      if (!off) {
        rang = true;
        runner.interrupt();
      }
    }

    private void giveUp(Runnable action) {
      boolean stillRuns;
      synchronized (this) {
        stillRuns = !off;
      }
      if (stillRuns) {
        action.run();
      }
    }

    /** Whether the work was interrupted; it goes on being watched. No interrupt is left behind. */
    public boolean rang() {
      boolean was;
      synchronized (this) {
        was = rang;
      }
      boolean unused = Thread.interrupted();
      return was;
    }

    /** The work has returned; whether it was interrupted before. No interrupt is left behind. */
    public boolean off() {
      boolean was;
      synchronized (this) {
        off = true;
        was = rang;
      }
      cancel(interrupt);
      cancel(giveUp);
      // Ours, or one that the work left behind: what follows must not fail because of it.
      boolean unused = Thread.interrupted();
      return was;
    }

    private static void cancel(@Nullable Future<?> scheduled) {
      if (scheduled != null) {
        scheduled.cancel(false);
      }
    }
  }
}
