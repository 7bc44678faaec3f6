package io.postroad.benchmarks.outbox;

/**
 * What the verifying consumer found.
 *
 * @param lost committed and not received
 * @param duplicated received again
 * @param outOfOrder received for the first time after a later event of the same key
 * @param keysOutOfOrder keys to which that happened
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

  /** What at-least-once promises; repeats are allowed. */
  boolean isComplete() {
    return lost == 0 && unknown == 0;
  }

  boolean isInOrder() {
    return outOfOrder == 0;
  }
}
