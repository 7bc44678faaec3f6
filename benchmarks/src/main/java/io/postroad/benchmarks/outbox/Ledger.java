package io.postroad.benchmarks.outbox;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Counts the committed events of each key. Thread-safe. */
final class Ledger {
  private final AtomicIntegerArray committed = new AtomicIntegerArray(EventStream.KEYS);

  void committed(Event event) {
    committed.incrementAndGet(event.keyNumber());
  }

  int committed(int keyNumber) {
    return committed.get(keyNumber);
  }

  long total() {
    long total = 0;
    for (int key = 0; key < EventStream.KEYS; key++) {
      total += committed.get(key);
    }
    return total;
  }
}
