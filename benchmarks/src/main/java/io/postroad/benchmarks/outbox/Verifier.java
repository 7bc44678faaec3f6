package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares received events with committed ones. Thread-safe. */
final class Verifier {
  private final Map<Integer, BitSet> seen = new HashMap<>();
  private final BitSet keysOutOfOrder = new BitSet();
  private long distinct;
  private long duplicated;
  private long outOfOrder;

  /** Records events in the order of their arrival. */
  synchronized void receive(List<Event> events) {
    for (Event event : events) {
      BitSet ofKey = seen.computeIfAbsent(event.keyNumber(), key -> new BitSet());
      if (ofKey.get(event.seq())) {
        duplicated++;
      } else {
        if (event.seq() < ofKey.length()) {
          outOfOrder++;
          keysOutOfOrder.set(event.keyNumber());
        }
        ofKey.set(event.seq());
        distinct++;
      }
    }
    notifyAll();
  }

  /** Waits until a number of different events have arrived, or none has for {@code patience}. */
  synchronized void await(long events, Duration patience) throws InterruptedException {
    long before = -1;
    while (distinct < events && distinct > before) {
      before = distinct;
      long deadline = System.nanoTime() + patience.toNanos();
      while (distinct == before && deadline - System.nanoTime() > 0) {
        wait(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
      }
    }
  }

  /** Returns the result, after all commits and after the topic was read to its end. */
  synchronized Verification against(Ledger ledger) {
    long lost = 0;
    long unknown = 0;
    for (int key = 0; key < EventStream.KEYS; key++) {
      int committed = ledger.committed(key);
      BitSet ofKey = seen.getOrDefault(key, new BitSet());
      int known = ofKey.get(0, committed).cardinality();
      lost += committed - known;
      unknown += ofKey.cardinality() - known;
    }
    return new Verification(lost, duplicated, outOfOrder, keysOutOfOrder.cardinality(), unknown);
  }
}
