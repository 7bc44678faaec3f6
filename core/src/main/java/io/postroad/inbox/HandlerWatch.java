package io.postroad.inbox;

import io.postroad.store.hint.Threads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Interrupts handlers that do not return in time. Safe to use from many threads. */
final class HandlerWatch implements AutoCloseable {
  private final Duration longest;
  private final ScheduledThreadPoolExecutor clock;

  /** What is watched. */
  interface Watched<E extends Exception> {
    void run() throws E;
  }

  HandlerWatch(Duration longest) {
    this.longest = longest;
    this.clock =
        new ScheduledThreadPoolExecutor(1, work -> Threads.daemon("postroad-handler-watch", work));
    clock.setRemoveOnCancelPolicy(true);
  }

  /** Runs something on this thread, which is interrupted when it takes too long. */
  <E extends Exception> void run(String handler, Watched<E> work) throws E {
    Thread runner = Thread.currentThread();
    AtomicBoolean over = new AtomicBoolean();
    AtomicBoolean interrupted = new AtomicBoolean();
    Future<?> alarm =
        clock.schedule(
            () -> {
              synchronized (over) {
                if (!over.get()) {
                  interrupted.set(true);
                  runner.interrupt();
                }
              }
            },
            longest.toMillis(),
            TimeUnit.MILLISECONDS);
    try {
      work.run();
    } finally {
      synchronized (over) {
        over.set(true);
      }
      alarm.cancel(false);
      // Ours, or one that the handler left behind: what follows must not fail because of it.
      boolean unused = Thread.interrupted();
    }
    if (interrupted.get()) {
      throw new RetryableFailure(
          "handler '%s' did not return within %s and was interrupted".formatted(handler, longest));
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
