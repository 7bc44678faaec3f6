package io.postroad.benchmarks.outbox;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;

/**
 * Reads in chunks, oldest first, and deletes each when the broker has accepted all of it. Three
 * chunks are in flight. After a crash, documents that were not deleted are sent again. Deletes do
 * not wait for a majority: if one is lost, messages are sent again, which at-least-once allows.
 *
 * <p>A writer that commits late adds a document before the last read position. So a read begins
 * slightly before the newest known document, and once a second at the start. Beginning always at
 * the start would scan all documents deleted in the last five minutes, which MongoDB keeps. A
 * deleted document is read again until a majority has deleted it, so it is remembered until a read
 * does not find it.
 */
final class MongoQueueRelay implements LimitRelay.Work {
  private static final int SIZE = 1_000;
  private static final int IN_FLIGHT = 3;
  private static final long LATE = MongoQueue.span(250);
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Chunk(LimitMessages messages, List<Long> ids) {}

  private final MongoCollection<MongoRow> reads;
  private final MongoCollection<MongoRow> deletes;
  private final Producer<byte[], byte[]> producer;
  private final Deque<Chunk> inFlight = new ArrayDeque<>();
  private final Set<Long> sent = new HashSet<>();
  private final Set<Long> deleted = new HashSet<>();
  private long head;
  private boolean full;
  private long sweptAt = System.nanoTime() - SWEEP_NANOS;

  MongoQueueRelay(MongoCollection<MongoRow> outbox, Producer<byte[], byte[]> producer) {
    this.reads = outbox.withReadConcern(ReadConcern.MAJORITY);
    this.deletes = outbox.withWriteConcern(WriteConcern.W1);
    this.producer = producer;
  }

  @Override
  public boolean runOnce() throws InterruptedException {
    while (!inFlight.isEmpty() && inFlight.element().messages().areAcknowledged()) {
      settleOldest();
    }
    if (inFlight.size() == IN_FLIGHT) {
      settleOldest();
    }
    Chunk chunk = read();
    if (chunk.messages().size() > 0) {
      chunk.messages().send(producer);
      inFlight.add(chunk);
      return true;
    }
    if (inFlight.isEmpty()) {
      return false;
    }
    settleOldest();
    return true;
  }

  private Chunk read() {
    long after = full ? head : head - LATE;
    if (System.nanoTime() - sweptAt > SWEEP_NANOS) {
      after = 0;
      sweptAt = System.nanoTime();
    }
    int limit = SIZE + sent.size();
    Chunk chunk = new Chunk(new LimitMessages(), new ArrayList<>());
    Set<Long> found = new HashSet<>();
    long last = after;
    for (MongoRow row :
        reads
            .find(Filters.gt("_id", after))
            .sort(Sorts.ascending("_id"))
            .limit(limit)
            // One more than possible, so that one answer has all rows and the cursor is closed.
            .batchSize(limit + 1)) {
      found.add(row.pos());
      last = row.pos();
      if (!deleted.contains(last) && sent.add(last)) {
        chunk.messages().add(row.pos(), row.message());
        chunk.ids().add(row.pos());
      }
    }
    head = Math.max(head, last);
    full = found.size() == limit;
    forget(after, full ? last : Long.MAX_VALUE, found);
    return chunk;
  }

  /** Forgets documents that a read of this range did not find: no later read will. */
  private void forget(long after, long upTo, Set<Long> found) {
    deleted.removeIf(pos -> pos > after && pos <= upTo && !found.contains(pos));
  }

  private void settleOldest() throws InterruptedException {
    Chunk oldest = inFlight.remove();
    oldest.messages().await();
    deletes.deleteMany(Filters.in("_id", oldest.ids()));
    deleted.addAll(oldest.ids());
    oldest.ids().forEach(sent::remove);
  }

  @Override
  public void settle() throws InterruptedException {
    while (!inFlight.isEmpty()) {
      settleOldest();
    }
  }

  @Override
  public void close() {
    // Documents that were not deleted are sent again.
  }
}
