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
import java.util.stream.IntStream;

/** Threads that commit one transaction after the other, as fast as possible. */
final class Writers {
  static final int COUNT = 8;

  private Writers() {}

  /** The events of one writer. */
  @FunctionalInterface
  interface Stream {
    Event next();
  }

  /** Writes for a time; returns the time until the last writer was done. */
  static Duration write(Round round, Duration forTime) throws InterruptedException {
    return write(round, forTime, ownKeys());
  }

  static Duration write(Round round, Duration forTime, IntFunction<Stream> streams)
      throws InterruptedException {
    long deadline = System.nanoTime() + forTime.toNanos();
    return write(round, written -> deadline - System.nanoTime() > 0, streams);
  }

  /** Writes a number of events in total. */
  static void write(Round round, int events) throws InterruptedException {
    write(round, events, ownKeys());
  }

  static void write(Round round, int events, IntFunction<Stream> streams)
      throws InterruptedException {
    write(round, written -> written < events / COUNT, streams);
  }

  /** Returns streams in which each writer has its own keys, and continues where it stopped. */
  static IntFunction<Stream> ownKeys() {
    List<Stream> streams =
        IntStream.range(0, COUNT)
            .<Stream>mapToObj(writer -> new EventStream(writer, COUNT)::next)
            .toList();
    return streams::get;
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
