package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares what arrives with what was committed. Thread-safe. */
final class Verifier {
  private final Map<Integer, BitSet> seen = new HashMap<>();
  private final BitSet keysOutOfOrder = new BitSet();
  private long distinct;
  private long duplicated;
  private long outOfOrder;

  /** Takes events in the order in which they arrived. */
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

  /** Waits until so many different events have arrived, or none has for {@code patience}. */
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

  /** The outcome, once everything was committed and the topic read to its end. */
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
