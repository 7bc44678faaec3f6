package io.postroad.benchmarks.outbox;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;

/**
 * One thread that takes batch after batch out of the table and commits each when the broker has all
 * of it. Three batches are in flight, each in a transaction of its own, so the broker is busy while
 * the database looks for the next one. A crash rolls the open ones back: they are sent again.
 */
final class LimitRelay {
  private static final int IN_FLIGHT = 3;
  private static final long SWEEP_MILLIS = 100;

  private final Producer<byte[], byte[]> producer;
  private final Deque<LimitBatch> free = new ArrayDeque<>();
  private final Deque<LimitBatch> inFlight = new ArrayDeque<>();
  private final Semaphore work = new Semaphore(0);
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private volatile boolean stopping;

  LimitRelay(Arena arena, Producer<byte[], byte[]> producer) throws SQLException {
    this.producer = producer;
    for (int i = 0; i < IN_FLIGHT; i++) {
      free.add(new LimitBatch(arena));
    }
  }

  void start() {
    Thread thread = new Thread(this::run, "limit-relay");
    thread.setDaemon(true);
    thread.start();
  }

  void wakeUp() {
    if (work.availablePermits() == 0) {
      work.release();
    }
  }

  void stop() {
    stopping = true;
    work.release();
    try {
      ended.join();
    } catch (CompletionException failed) {
      throw new IllegalStateException("limit's relay failed", failed.getCause());
    }
  }

  private void run() {
    try {
      while (!stopping) {
        runOnce();
      }
      while (!inFlight.isEmpty()) {
        settleOldest();
      }
      ended.complete(true);
    } catch (SQLException | InterruptedException | RuntimeException | Error failed) {
      ended.completeExceptionally(failed);
    } finally {
      inFlight.forEach(LimitBatch::close);
      free.forEach(LimitBatch::close);
    }
  }

  private void runOnce() throws SQLException, InterruptedException {
    if (free.isEmpty()) {
      settleOldest();
    }
    work.drainPermits();
    LimitBatch batch = free.element();
    if (batch.claim()) {
      batch.send(producer);
      inFlight.add(free.remove());
    } else if (!inFlight.isEmpty()) {
      settleOldest();
    } else {
      work.tryAcquire(SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void settleOldest() throws SQLException, InterruptedException {
    LimitBatch oldest = inFlight.element();
    oldest.settle();
    free.add(inFlight.remove());
  }
}
