package io.postroad.benchmarks.outbox;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;

/**
 * Reads the log in chunks and stores the position that the broker has accepted. Four chunks are in
 * flight; then the next read waits for the broker, so that chunks grow with the load. After a
 * crash, messages behind the stored position are sent again.
 */
final class PostgresLogRelay implements LimitRelay.Work {
  private static final int IN_FLIGHT = 4;
  private static final long STORE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final PostgresLog log;
  private final Producer<byte[], byte[]> producer;
  private final Deque<PostgresLogChunk> inFlight = new ArrayDeque<>();
  private PostgresLogPosition read;
  private PostgresLogPosition settled;
  private PostgresLogPosition stored;
  private long storedAt = System.nanoTime();

  PostgresLogRelay(PostgresArena arena, Producer<byte[], byte[]> producer) throws SQLException {
    this.producer = producer;
    log = new PostgresLog(arena.connect(), arena.schema());
    read = log.load();
    settled = read;
    stored = read;
  }

  @Override
  public boolean runOnce() throws SQLException, InterruptedException {
    settleAcknowledged();
    if (inFlight.size() == IN_FLIGHT) {
      settleOldest();
    }
    PostgresLogChunk chunk = log.read(read);
    read = chunk.position();
    if (chunk.messages().size() > 0) {
      chunk.messages().send(producer);
      inFlight.add(chunk);
    }
    if (System.nanoTime() - storedAt > STORE_NANOS) {
      store();
    }
    return chunk.full();
  }

  @Override
  public void settle() throws SQLException, InterruptedException {
    while (!inFlight.isEmpty()) {
      settleOldest();
    }
    store();
  }

  private void settleAcknowledged() throws InterruptedException {
    while (!inFlight.isEmpty() && inFlight.element().messages().areAcknowledged()) {
      settleOldest();
    }
  }

  private void settleOldest() throws InterruptedException {
    PostgresLogChunk oldest = inFlight.remove();
    oldest.messages().await();
    settled = oldest.position();
  }

  private void store() throws SQLException {
    if (!settled.equals(stored)) {
      log.store(settled);
      stored = settled;
      storedAt = System.nanoTime();
    }
  }

  @Override
  public void close() {
    log.close();
  }
}
