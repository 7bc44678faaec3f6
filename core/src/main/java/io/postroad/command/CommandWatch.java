package io.postroad.command;

import io.postroad.store.hint.Threads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts handlers that do not return in time, and gives up those that do not mind it. Safe to
 * use from many threads.
 */
final class CommandWatch implements AutoCloseable {
  private final ScheduledThreadPoolExecutor clock;

  CommandWatch(String name) {
    clock = new ScheduledThreadPoolExecutor(1, work -> Threads.daemon(name + "-watch", work));
    clock.setRemoveOnCancelPolicy(true);
  }

  /**
   * Begins to watch this thread.
   *
   * @param givenUp runs on a thread that must not be blocked, if it has not returned {@link
   *     CommandOptions#GRACE} after the interrupt
   */
  Alarm set(Duration limit, Runnable givenUp) {
    Alarm alarm = new Alarm(Thread.currentThread());
    alarm.first = schedule(alarm::ring, limit);
    alarm.second = schedule(() -> alarm.giveUp(givenUp), limit.plus(CommandOptions.GRACE));
    return alarm;
  }

  private Future<?> schedule(Runnable action, Duration delay) {
    return clock.schedule(action, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }

  /** Set for one run of a handler. */
  static final class Alarm {
    private final Thread runner;
    private Future<?> first = NOTHING;
    private Future<?> second = NOTHING;
    private boolean off;
    private boolean rang;

    private static final Future<?> NOTHING =
        java.util.concurrent.CompletableFuture.completedFuture("");

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

    /** The handler has returned; whether it was interrupted before. */
    boolean off() {
      boolean was;
      synchronized (this) {
        off = true;
        was = rang;
      }
      first.cancel(false);
      second.cancel(false);
      // Ours, or one that the handler left behind: what follows must not fail because of it.
      boolean unused = Thread.interrupted();
      return was;
    }
  }
}
