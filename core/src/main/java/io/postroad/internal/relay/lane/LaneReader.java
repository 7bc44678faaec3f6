package io.postroad.internal.relay.lane;

import io.postroad.spi.LaneBatch;
import io.postroad.spi.LanePosition;
import io.postroad.spi.OrderedStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * READ: the batches of a lane one after the other. While there is a backlog the next one is read on
 * a thread of its own, so that the database and the sender are busy at the same time. Reading
 * changes nothing, so a batch that was read ahead and is not wanted any more is just dropped.
 *
 * <p>Used by one thread.
 */
final class LaneReader {
  private final OrderedStore<?> store;
  private final Tenure tenure;
  private final ThreadFactory threads;
  private LanePosition readUpTo;
  private @Nullable LanePosition peekedUpTo;
  private @Nullable ExecutorService aheadThread;
  private @Nullable CompletableFuture<LaneBatch> ahead;

  LaneReader(OrderedStore<?> store, Tenure tenure, ThreadFactory threads) {
    this.store = store;
    this.tenure = tenure;
    this.threads = threads;
    this.readUpTo = tenure.lease().position();
  }

  /** The next batch, as large as it was asked for here or when it was read ahead. */
  LaneBatch next(int limit) {
    CompletableFuture<LaneBatch> started = ahead;
    ahead = null;
    LaneBatch batch = started == null ? store.log().read(tenure.lease(), readUpTo, limit) : join(started);
    readUpTo = batch.end();
    peekedUpTo = null;
    return batch;
  }

  /** Looks further than what is to be read next, a batch each time; reading goes on as before. */
  LaneBatch peek(int limit) {
    LaneBatch batch = store.log().read(tenure.lease(), peekedUpTo == null ? readUpTo : peekedUpTo, limit);
    peekedUpTo = batch.end();
    return batch;
  }

  private static LaneBatch join(CompletableFuture<LaneBatch> started) {
    try {
      return started.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw failed;
    }
  }

  /** Begins to read the batch after the last one. */
  void readAhead(int limit) {
    if (aheadThread == null) {
      aheadThread = Executors.newSingleThreadExecutor(this::named);
    }
    LanePosition after = readUpTo;
    ahead =
        CompletableFuture.supplyAsync(() -> store.log().read(tenure.lease(), after, limit), aheadThread);
  }

  private Thread named(Runnable work) {
    Thread thread = threads.newThread(work);
    thread.setName(Thread.currentThread().getName() + "-ahead");
    return thread;
  }

  void close() {
    ahead = null;
    if (aheadThread != null) {
      aheadThread.shutdown();
      aheadThread = null;
    }
  }
}
