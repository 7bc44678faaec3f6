package io.postroad.benchmarks.outbox;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the statements of a contender. Excludes those that a thread sends while it enqueues, so
 * that only the relay's remain. Thread-safe.
 */
public final class StatementCount {
  private final LongAdder count = new LongAdder();

  @SuppressWarnings("ThreadLocalUsage") // one per count, not one per process
  private final ThreadLocal<Boolean> enqueuing = ThreadLocal.withInitial(() -> false);

  /** Work that is not counted. */
  @FunctionalInterface
  interface Enqueue {
    void run() throws Exception;
  }

  void leaveOut(Enqueue enqueue) throws Exception {
    enqueuing.set(true);
    try {
      enqueue.run();
    } finally {
      enqueuing.set(false);
    }
  }

  /** Returns whether this thread enqueues. */
  boolean leavesOut() {
    return enqueuing.get();
  }

  void add(int statements) {
    if (!leavesOut()) {
      count.add(statements);
    }
  }

  public long total() {
    return count.sum();
  }
}
