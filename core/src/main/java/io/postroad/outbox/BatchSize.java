package io.postroad.outbox;

/**
 * How many messages to ask for: doubles while polls come back full, falls back when they do not, so
 * that a backlog goes in large batches and a trickle in small ones. Used by one thread.
 */
final class BatchSize {
  private final int smallest;
  private final int largest;
  private int current;

  BatchSize(int smallest, int largest) {
    this.smallest = smallest;
    this.largest = largest;
    this.current = smallest;
  }

  int current() {
    return current;
  }

  /** A claim that failed may have been too large to be read: begin again with one message. */
  void failed() {
    current = 1;
  }

  void adapt(int asked, int got) {
    if (got < asked) {
      current = smallest;
    } else if (asked == current) {
      current = Math.min(largest, current * 2);
    }
  }
}
