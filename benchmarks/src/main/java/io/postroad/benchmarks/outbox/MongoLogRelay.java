package io.postroad.benchmarks.outbox;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;

/**
 * Reads the log in chunks and stores the position that the broker has accepted. Four chunks are in
 * flight; then the next read waits for the broker, so that chunks grow with the load. After a
 * crash, messages behind the stored position are sent again.
 */
final class MongoLogRelay implements LimitRelay.Work {
  private static final int IN_FLIGHT = 4;
  private static final long STORE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long RENEW_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final MongoLogReader log;
  private final Producer<byte[], byte[]> producer;
  private final Deque<MongoLogChunk> inFlight = new ArrayDeque<>();
  private MongoLogPosition read;
  private MongoLogPosition settled;
  private MongoLogPosition stored;
  private long storedAt = System.nanoTime();

  MongoLogRelay(MongoLogReader log, Producer<byte[], byte[]> producer) {
    this.log = log;
    this.producer = producer;
    read = log.load();
    settled = read;
    stored = read;
  }

  @Override
  public boolean runOnce() throws InterruptedException {
    while (!inFlight.isEmpty() && inFlight.element().messages().areAcknowledged()) {
      settleOldest();
    }
    if (inFlight.size() == IN_FLIGHT) {
      settleOldest();
    }
    MongoLogChunk chunk = log.read(read);
    read = chunk.position();
    if (chunk.messages().size() > 0) {
      chunk.messages().send(producer);
      inFlight.add(chunk);
    }
    long passed = System.nanoTime() - storedAt;
    if (settled.equals(stored) ? passed > RENEW_NANOS : passed > STORE_NANOS) {
      store();
    }
    return chunk.full();
  }

  @Override
  public void settle() throws InterruptedException {
    while (!inFlight.isEmpty()) {
      settleOldest();
    }
    store();
  }

  private void settleOldest() throws InterruptedException {
    MongoLogChunk oldest = inFlight.remove();
    oldest.messages().await();
    settled = oldest.position();
  }

  private void store() {
    log.store(settled);
    stored = settled;
    storedAt = System.nanoTime();
  }

  @Override
  public void close() {
    log.close();
  }
}
