package io.postroad.benchmarks.outbox;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/** A transaction that stays open. */
interface HeldTransaction {

  /** Opens a transaction that has read. */
  @FunctionalInterface
  interface Reader {
    HeldTransaction begin() throws Exception;
  }

  void end() throws Exception;

  /** Returns a placeholder without a transaction. */
  static HeldTransaction none() {
    return () -> {};
  }

  /** Opens a transaction that has written this event, and commits it in the end. */
  static HeldTransaction writing(Round round, Event event) throws InterruptedException {
    CountDownLatch written = new CountDownLatch(1);
    CountDownLatch commit = new CountDownLatch(1);
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                round.enqueue(
                    event,
                    () -> {
                      written.countDown();
                      awaitQuietly(commit);
                    });
                ended.complete(true);
              } catch (Exception | Error failed) {
                ended.completeExceptionally(failed);
              } finally {
                written.countDown();
              }
            },
            "held-transaction");
    thread.setDaemon(true);
    thread.start();
    written.await();
    return () -> {
      commit.countDown();
      try {
        ended.get();
      } catch (ExecutionException failed) {
        throw new IllegalStateException("the held transaction failed", failed.getCause());
      }
    };
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
