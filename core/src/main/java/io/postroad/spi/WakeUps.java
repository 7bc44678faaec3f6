package io.postroad.spi;

/**
 * Hints that messages were committed, so that workers need not wait for their next poll. A hint may
 * be late, merged with others or lost; polling is the truth.
 *
 * <p>Safe to use from many threads. {@link #signal} never blocks and never fails, also after the
 * store was closed.
 */
public interface WakeUps {

  /** Wakes the listeners of this process at once, and those of other nodes soon. */
  void signal();

  /**
   * Calls {@code listener} at every hint, from any node, on a thread that MUST NOT be blocked.
   *
   * @return ends the subscription when closed
   */
  Subscription subscribe(Runnable listener);

  /** A subscription; closing it twice is legal. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
