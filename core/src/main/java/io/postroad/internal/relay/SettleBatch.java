package io.postroad.internal.relay;

/**
 * How many outcomes to settle at once: all, but after a failure half as many, down to one, so that
 * one that the store will not take does not hold up the others. Used by one thread.
 */
public final class SettleBatch {
  private int limit = Integer.MAX_VALUE;

  public int next(int waiting) {
    return Math.min(limit, waiting);
  }

  public void failed(int size) {
    limit = Math.max(1, size / 2);
  }

  public void worked() {
    limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2;
  }
}
