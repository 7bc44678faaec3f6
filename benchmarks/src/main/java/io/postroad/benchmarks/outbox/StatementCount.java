package io.postroad.benchmarks.outbox;

import java.util.concurrent.atomic.LongAdder;

/**
 * How many statements a contender has sent to the database. What a thread sends while it enqueues
 * is left out, so what remains is the relay's. Thread-safe.
 */
public final class StatementCount {
  private final LongAdder count = new LongAdder();

  @SuppressWarnings("ThreadLocalUsage") // one per count, not one per process
  private final ThreadLocal<Boolean> enqueuing = ThreadLocal.withInitial(() -> false);

  /** What is done here is not counted. */
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

  /** Whether this thread sends for a writer. */
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
