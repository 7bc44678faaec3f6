package io.postroad.benchmarks.outbox;

import java.util.SplittableRandom;

/**
 * The events of one writer, the same for every contender: three of four on random keys, and every
 * fourth in a burst on a single key, because lost order shows only in bursts.
 *
 * <p>A key belongs to one writer, so its events are committed one after the other and their order
 * can be checked. Used by one thread.
 */
final class EventStream {
  static final int KEYS = 1_000;

  private static final int BLOCK = 100;
  private static final int BURST = 25;

  private final int writer;
  private final int writers;
  private final int[] nextSeq = new int[KEYS];
  private final SplittableRandom random;
  private int position;
  private int key;

  EventStream(int writer, int writers) {
    this.writer = writer;
    this.writers = writers;
    this.random = new SplittableRandom(writer);
  }

  Event next() {
    // A burst continues with the key of its first event.
    if (position <= BLOCK - BURST) {
      key = random.nextInt(KEYS / writers) * writers + writer;
    }
    position = (position + 1) % BLOCK;
    return new Event(key, nextSeq[key]++);
  }
}
