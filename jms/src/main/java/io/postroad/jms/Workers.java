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
 * Runs tasks in the order of their arrival, a limited number at the same time. A task that takes
 * longer than a second no longer counts, so that a task that waits for its broker does not delay
 * the others. The number of threads can therefore grow by the limit for each second of the longest
 * task. Thread-safe.
 */
final class Workers implements Executor {
  private static final Duration SLOW_AFTER = Duration.ofSeconds(1);
  private static final Duration IDLE_THREAD_ENDS_AFTER = Duration.ofSeconds(30);

  private final ScheduledExecutorService timer;
  private final ThreadPoolExecutor threads;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int freePermits;
  private boolean closed;

  Workers(String name, int atATime, ScheduledExecutorService timer) {
    this.timer = timer;
    this.freePermits = atATime;
    this.threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_THREAD_ENDS_AFTER.toMillis(),
            TimeUnit.MILLISECONDS,
            new SynchronousQueue<>(),
            Daemons.named("postroad-" + name + "-sender"));
  }

  /** Runs a task when its turn comes; after {@link #close()}, at once on the caller's thread. */
  @Override
  public void execute(Runnable task) {
    if (!accept(task)) {
      task.run();
    }
  }

  private synchronized boolean accept(Runnable task) {
    if (!closed) {
      waiting.add(task);
      startThreads();
    }
    return !closed;
  }

  /** Starts threads for waiting tasks. Called with the lock. */
  private void startThreads() {
    for (int threadsToStart = Math.min(freePermits, waiting.size());
        threadsToStart > 0;
        threadsToStart--) {
      freePermits--;
      threads.execute(this::work);
    }
  }

  private void work() {
    for (Runnable task = next(); task != null; task = next()) {
      AtomicBoolean holdsPermit = new AtomicBoolean(true);
      @Nullable Future<?> slow = watch(() -> releasePermit(holdsPermit));
      try {
        task.run();
      } catch (RuntimeException | Error failed) {
        releasePermit(holdsPermit);
        throw failed;
      } finally {
        if (slow != null) {
          slow.cancel(false);
        }
      }
      if (!holdsPermit.compareAndSet(true, false)) {
        return; // Another thread has the permit.
      }
    }
  }

  /** Returns the next task. If there is none, releases the permit and returns null. */
  private synchronized @Nullable Runnable next() {
    @Nullable Runnable task = waiting.poll();
    if (task == null) {
      freePermits++;
    }
    return task;
  }

  private @Nullable Future<?> watch(Runnable whenSlow) {
    try {
      return timer.schedule(whenSlow, SLOW_AFTER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      return null; // After a close there is no session, so no task takes long.
    }
  }

  private void releasePermit(AtomicBoolean holdsPermit) {
    if (holdsPermit.compareAndSet(true, false)) {
      synchronized (this) {
        freePermits++;
        startThreads();
      }
    }
  }

  /** Closes the executor without waiting. Queued tasks still run. */
  synchronized void close() {
    closed = true;
    waiting.forEach(task -> threads.execute(task));
    waiting.clear();
    threads.shutdown();
  }
}
