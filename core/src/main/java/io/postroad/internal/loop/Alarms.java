package io.postroad.internal.loop;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts threads whose work does not return in time, and reports work that goes on all the
 * same. Safe to use from many threads.
 */
public final class Alarms implements AutoCloseable {
  private final ScheduledThreadPoolExecutor clock;

  public Alarms(ThreadFactory threads) {
    clock = new ScheduledThreadPoolExecutor(1, threads);
    clock.setRemoveOnCancelPolicy(true);
  }

  /** Watches this thread and interrupts it after {@code limit}. */
  public Alarm set(Duration limit) {
    Alarm alarm = new Alarm(Thread.currentThread());
    alarm.interrupt = schedule(alarm::ring, limit);
    return alarm;
  }

  /**
   * Watches this thread like {@link #set(Duration)}, and gives it up after a further {@code grace}.
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

  /** The watch over one piece of work, set by the thread that does it. */
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

    /** Returns whether the work was interrupted, and clears the interrupt; the watch goes on. */
    public boolean rang() {
      boolean was;
      synchronized (this) {
        was = rang;
      }
      boolean unused = Thread.interrupted();
      return was;
    }

    /** Ends the watch and clears the interrupt; returns whether the work was interrupted. */
    public boolean off() {
      boolean was;
      synchronized (this) {
        off = true;
        was = rang;
      }
      cancel(interrupt);
      cancel(giveUp);
      // An interrupt that is still set must not fail the next call.
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
