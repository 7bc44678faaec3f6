package io.postroad.jms;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks in the order in which they come, so many at a time. A task that takes longer than a
 * second no longer counts: one that waits for its broker does not keep the others waiting. So there
 * are at most that many more threads for each second of the longest task. Thread-safe.
 */
final class Workers implements Executor {
  private static final Duration SLOW_AFTER = Duration.ofSeconds(1);
  private static final Duration IDLE_THREAD_ENDS_AFTER = Duration.ofSeconds(30);

  private final ScheduledExecutorService timer;
  private final ThreadPoolExecutor threads;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int freePlaces;
  private boolean closed;

  Workers(String name, int atATime, ScheduledExecutorService timer) {
    this.timer = timer;
    this.freePlaces = atATime;
    this.threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_THREAD_ENDS_AFTER.toMillis(),
            TimeUnit.MILLISECONDS,
            new SynchronousQueue<>(),
            Daemons.named("postroad-" + name + "-sender"));
  }

  /** Runs a task when its turn comes; at once, on the caller's thread, after {@link #close()}. */
  @Override
  public void execute(Runnable task) {
    if (!accept(task)) {
      task.run();
    }
  }

  private synchronized boolean accept(Runnable task) {
    if (!closed) {
      waiting.add(task);
      fillPlaces();
    }
    return !closed;
  }

  /** Called with the lock. */
  private void fillPlaces() {
    for (int threadsToStart = Math.min(freePlaces, waiting.size());
        threadsToStart > 0;
        threadsToStart--) {
      freePlaces--;
      threads.execute(this::work);
    }
  }

  private void work() {
    for (Runnable task = next(); task != null; task = next()) {
      AtomicBoolean holdsPlace = new AtomicBoolean(true);
      @Nullable Future<?> slow = watch(() -> freePlace(holdsPlace));
      try {
        task.run();
      } catch (RuntimeException | Error failed) {
        freePlace(holdsPlace);
        throw failed;
      } finally {
        if (slow != null) {
          slow.cancel(false);
        }
      }
      if (!holdsPlace.compareAndSet(true, false)) {
        return; // Another thread has the place.
      }
    }
  }

  /** The next task, or null, which leaves the place free. */
  private synchronized @Nullable Runnable next() {
    @Nullable Runnable task = waiting.poll();
    if (task == null) {
      freePlaces++;
    }
    return task;
  }

  private @Nullable Future<?> watch(Runnable whenSlow) {
    try {
      return timer.schedule(whenSlow, SLOW_AFTER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      return null; // There is no session any more: no task takes long.
    }
  }

  private void freePlace(AtomicBoolean holdsPlace) {
    if (holdsPlace.compareAndSet(true, false)) {
      synchronized (this) {
        freePlaces++;
        fillPlaces();
      }
    }
  }

  /** Does not wait. Tasks that are waiting are still run. */
  synchronized void close() {
    closed = true;
    waiting.forEach(task -> threads.execute(task));
    waiting.clear();
    threads.shutdown();
  }
}
