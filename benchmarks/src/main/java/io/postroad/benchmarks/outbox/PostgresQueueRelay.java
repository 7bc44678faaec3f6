package io.postroad.benchmarks.outbox;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.clients.producer.Producer;

/**
 * Takes batches from the table and commits each when the broker has accepted all of it. Three
 * batches are in flight, each in its own transaction, so the broker is busy while the database
 * finds the next one. A crash rolls back the open ones, and their messages are sent again.
 */
final class PostgresQueueRelay implements LimitRelay.Work {
  private static final int IN_FLIGHT = 3;

  private final Producer<byte[], byte[]> producer;
  private final Deque<PostgresQueueBatch> free = new ArrayDeque<>();
  private final Deque<PostgresQueueBatch> inFlight = new ArrayDeque<>();

  PostgresQueueRelay(PostgresArena arena, Producer<byte[], byte[]> producer) throws SQLException {
    this.producer = producer;
    for (int i = 0; i < IN_FLIGHT; i++) {
      free.add(new PostgresQueueBatch(arena));
    }
  }

  @Override
  public boolean runOnce() throws SQLException, InterruptedException {
    if (free.isEmpty()) {
      settleOldest();
    }
    PostgresQueueBatch batch = free.element();
    if (batch.claim()) {
      batch.send(producer);
      inFlight.add(free.remove());
      return true;
    }
    if (inFlight.isEmpty()) {
      return false;
    }
    settleOldest();
    return true;
  }

  @Override
  public void settle() throws SQLException, InterruptedException {
    while (!inFlight.isEmpty()) {
      settleOldest();
    }
  }

  private void settleOldest() throws SQLException, InterruptedException {
    PostgresQueueBatch oldest = inFlight.element();
    oldest.settle();
    free.add(inFlight.remove());
  }

  @Override
  public void close() {
    inFlight.forEach(PostgresQueueBatch::close);
    free.forEach(PostgresQueueBatch::close);
  }
}
