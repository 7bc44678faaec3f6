package io.postroad.internal.relay.lane;

import io.postroad.spi.LaneBatch;
import io.postroad.spi.LanePosition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the batches of a lane, one after the other. While there is a backlog, a second thread reads
 * the next batch, so that the database and the sender are busy at the same time. Reading changes
 * nothing, so a batch that was read ahead and is not needed any more is dropped.
 *
 * <p>Used by one thread.
 */
final class LaneReader {
  private final OwnedLane lane;
  private final LaneState state;
  private @Nullable LanePosition peekedUpTo;
  private @Nullable ExecutorService aheadThread;
  private @Nullable CompletableFuture<LaneBatch> ahead;

  LaneReader(OwnedLane lane, LaneState state) {
    this.lane = lane;
    this.state = state;
  }

  /** Returns the next batch, as large as was asked for here or when it was read ahead. */
  LaneBatch next(int limit) {
    CompletableFuture<LaneBatch> started = ahead;
    ahead = null;
    LaneBatch batch = started == null ? read(state.readUpTo(), limit) : join(started);
    peekedUpTo = null;
    return batch;
  }

  /** Returns a batch beyond the next one, further on with each call; reading is not affected. */
  LaneBatch peek(int limit) {
    LaneBatch batch = read(peekedUpTo == null ? state.readUpTo() : peekedUpTo, limit);
    peekedUpTo = batch.end();
    return batch;
  }

  private LaneBatch read(LanePosition after, int limit) {
    return lane.store().log().read(lane.lease(), after, limit);
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
    LanePosition after = state.readUpTo();
    ahead = CompletableFuture.supplyAsync(() -> read(after, limit), aheadThread);
  }

  private Thread named(Runnable work) {
    Thread thread = lane.parts().threads().newThread(work);
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
