package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/** Threads that commit one transaction after the other, as fast as they can. */
final class Writers {
  static final int COUNT = 8;

  private Writers() {}

  /** The events of one writer. */
  @FunctionalInterface
  interface Stream {
    Event next();
  }

  /** Writes for this long; how long it took until the last writer was done. */
  static Duration write(Round round, Duration forTime) throws InterruptedException {
    return write(round, forTime, Writers::ownKeys);
  }

  static Duration write(Round round, Duration forTime, IntFunction<Stream> streams)
      throws InterruptedException {
    long deadline = System.nanoTime() + forTime.toNanos();
    return write(round, written -> deadline - System.nanoTime() > 0, streams);
  }

  /** Writes so many events in all, whatever time that takes. */
  static void write(Round round, int events) throws InterruptedException {
    write(round, events, Writers::ownKeys);
  }

  static void write(Round round, int events, IntFunction<Stream> streams)
      throws InterruptedException {
    write(round, written -> written < events / COUNT, streams);
  }

  private static Stream ownKeys(int writer) {
    return new EventStream(writer, COUNT)::next;
  }

  private static Duration write(Round round, IntPredicate goOn, IntFunction<Stream> streams)
      throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(COUNT);
    try {
      CountDownLatch gate = new CountDownLatch(1);
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < COUNT; i++) {
        Stream stream = streams.apply(i);
        writers.add(
            threads.submit(
                () -> {
                  gate.await();
                  for (int written = 0; goOn.test(written); written++) {
                    round.enqueue(stream.next(), () -> {});
                  }
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
}
