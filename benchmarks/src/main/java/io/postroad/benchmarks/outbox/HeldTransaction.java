package io.postroad.benchmarks.outbox;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/** A transaction that somebody forgot to end. */
interface HeldTransaction {

  void end() throws SQLException, InterruptedException;

  /** Nobody forgot anything. */
  static HeldTransaction none() {
    return () -> {};
  }

  /** It has read, and its snapshot keeps everything that is deleted from now on. */
  static HeldTransaction reading(Round round) throws SQLException {
    Connection connection = round.arena().pool().getConnection();
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM %s.orders".formatted(round.arena().schema()))) {
      row.next();
    }
    return () -> {
      connection.rollback();
      connection.close();
    };
  }

  /** It has written this event, which is committed in the end. */
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
              } catch (SQLException | RuntimeException | Error failed) {
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
