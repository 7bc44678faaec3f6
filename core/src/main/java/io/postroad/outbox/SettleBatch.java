package io.postroad.outbox;

/**
 * How many outcomes to settle at once: all, but after a failure half as many, down to one, so that
 * one that the store will not take does not hold up the others. Used by one thread.
 */
final class SettleBatch {
  private int limit = Integer.MAX_VALUE;

  int next(int waiting) {
    return Math.min(limit, waiting);
  }

  void failed(int size) {
    limit = Math.max(1, size / 2);
  }

  void worked() {
    limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2;
  }
}
