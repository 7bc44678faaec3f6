package io.postroad.benchmarks.outbox;

import com.mongodb.client.MongoCollection;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;

/**
 * A queue on MongoDB: documents are deleted when the broker has accepted them. Their ids come from
 * the writer's clock, so writers do not wait for a counter, and there is no guaranteed order.
 */
final class MongoQueue implements LimitContender.Design {
  /** An id has the milliseconds, then a number within them, then the number of the process. */
  private static final int MILLIS_SHIFT = 20;

  private static final int PROCESSES = 256;

  private final MongoArena arena;
  private final MongoCollection<MongoRow> outbox;
  private final AtomicLong ids = new AtomicLong(ThreadLocalRandom.current().nextInt(PROCESSES));

  private MongoQueue(MongoArena arena) {
    this.arena = arena;
    this.outbox = MongoLimit.createOutbox(arena.database());
  }

  static Contender contender(MongoArena arena) {
    return new LimitContender(arena.topic(), new MongoQueue(arena));
  }

  /** Returns the distance of ids with this difference in time. */
  static long span(long millis) {
    return millis << MILLIS_SHIFT;
  }

  private long nextId() {
    long now = span(System.currentTimeMillis());
    return ids.updateAndGet(last -> Math.max(last + PROCESSES, now | last % PROCESSES));
  }

  @Override
  public void enqueue(Event event, Runnable beforeCommit) {
    MongoLimit.inTransaction(
        arena,
        session -> {
          arena.orders().insert(session, event);
          outbox.insertOne(session, MongoRow.of(nextId(), event, arena.topic()));
          beforeCommit.run();
        });
  }

  @Override
  public void fill(List<Event> events) {
    MongoLimit.inTransaction(
        arena,
        session ->
            outbox.insertMany(
                session,
                events.stream()
                    .map(event -> MongoRow.of(nextId(), event, arena.topic()))
                    .toList()));
  }

  @Override
  public LimitRelay.Work relay(Producer<byte[], byte[]> producer) {
    return new MongoQueueRelay(outbox, producer);
  }

  @Override
  public int requestsInFlight() {
    return 5;
  }
}
