package io.postroad.benchmarks.outbox;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The thread of a hand-written relay, which runs passes and sleeps if there is nothing to do. */
final class LimitRelay {
  private static final long SWEEP_MILLIS = 100;

  /** The work of a relay; used by one thread. */
  interface Work extends AutoCloseable {
    /** Runs one pass; returns false if there is nothing to do until the next commit. */
    boolean runOnce() throws Exception;

    /** Waits for the broker and stores the progress. */
    void settle() throws Exception;

    @Override
    void close();
  }

  private final Work work;
  private final Semaphore commits = new Semaphore(0);
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private volatile boolean stopping;

  LimitRelay(Work work) {
    this.work = work;
  }

  void start() {
    Thread thread = new Thread(this::run, "limit-relay");
    thread.setDaemon(true);
    thread.start();
  }

  /** Wakes the relay after a commit. */
  void wakeUp() {
    if (commits.availablePermits() == 0) {
      commits.release();
    }
  }

  void stop() {
    stopping = true;
    commits.release();
    try {
      ended.join();
    } catch (CompletionException failed) {
      throw new IllegalStateException("limit's relay failed", failed.getCause());
    }
  }

  private void run() {
    try (work) {
      while (!stopping) {
        commits.drainPermits();
        if (!work.runOnce() && !stopping) {
          var unused = commits.tryAcquire(SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
      work.settle();
    } catch (Exception | Error failed) {
      ended.completeExceptionally(failed);
      return;
    }
    ended.complete(true);
  }
}
