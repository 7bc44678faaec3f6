package io.postroad.benchmarks.outbox;

/**
 * The result of the verifying consumer.
 *
 * @param lost committed and not received
 * @param duplicated received again
 * @param outOfOrder first received after a later event of the same key
 * @param keysOutOfOrder keys with such events
 * @param unknown received and never committed
 */
record Verification(
    long lost, long duplicated, long outOfOrder, long keysOutOfOrder, long unknown) {
  static final Verification NOTHING = new Verification(0, 0, 0, 0, 0);

  Verification plus(Verification other) {
    return new Verification(
        lost + other.lost,
        duplicated + other.duplicated,
        outOfOrder + other.outOfOrder,
        keysOutOfOrder + other.keysOutOfOrder,
        unknown + other.unknown);
  }

  /** Returns whether at-least-once holds; duplicates are allowed. */
  boolean isComplete() {
    return lost == 0 && unknown == 0;
  }

  boolean isInOrder() {
    return outOfOrder == 0;
  }
}
