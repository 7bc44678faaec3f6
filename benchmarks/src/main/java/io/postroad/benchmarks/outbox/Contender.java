package io.postroad.benchmarks.outbox;

import java.util.List;

/**
 * One way to get events from committed transactions to the topic. Made for one round, in an empty
 * place of the database: the constructor creates its tables, and all is dropped after {@link
 * #close()}.
 */
interface Contender extends AutoCloseable {

  /**
   * One transaction: an order in {@link Orders}, the event, {@code beforeCommit}, the commit.
   * Called from many threads.
   */
  void enqueue(Event event, Runnable beforeCommit) throws Exception;

  /** All these events in one transaction, as fast as it can; never measured. */
  void fill(List<Event> events) throws Exception;

  /** Lets so many keys of its own be parked behind a dead letter each; never measured. */
  default void park(int keys, int each) {
    throw new UnsupportedOperationException("it parks no keys");
  }

  /** Starts to move events to the topic and returns. */
  void startRelay() throws Exception;

  /** Stops moving events when those in flight are settled; it may be started again. */
  void stopRelay();

  /** Called after {@link #stopRelay()}. */
  @Override
  void close();
}
