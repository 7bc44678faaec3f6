package io.postroad.benchmarks.outbox;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that commit one transaction after the other, as fast as they can. */
final class Writers {
  static final int COUNT = 8;

  private Writers() {}

  /** Writes for this long; how long it took until the last writer was done. */
  static Duration write(Round round, Duration forTime) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(COUNT);
    try {
      CountDownLatch gate = new CountDownLatch(1);
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < COUNT; i++) {
        EventStream stream = new EventStream(i, COUNT);
        writers.add(
            threads.submit(
                () -> {
                  gate.await();
                  writeUntil(System.nanoTime() + forTime.toNanos(), stream, round);
                  return null;
                }));
      }
      long began = System.nanoTime();
      gate.countDown();
      for (Future<?> writer : writers) {
        writer.get();
      }
      return Duration.ofNanos(System.nanoTime() - began);
    } catch (ExecutionException failed) {
      throw new IllegalStateException("a writer failed", failed.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static void writeUntil(long deadline, EventStream stream, Round round)
      throws SQLException {
    while (deadline - System.nanoTime() > 0) {
      round.enqueue(stream.next(), () -> {});
    }
  }
}
