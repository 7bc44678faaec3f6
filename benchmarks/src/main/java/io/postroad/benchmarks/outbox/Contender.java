package io.postroad.benchmarks.outbox;

import java.util.List;

/**
 * A way to move events from committed transactions to the topic. Created for one round, in an empty
 * place of the database: the constructor creates its tables, and all of them are dropped after
 * {@link #close()}.
 */
interface Contender extends AutoCloseable {

  /**
   * Runs one transaction: an order in {@link Orders}, the event, {@code beforeCommit}, the commit.
   * Many threads call it.
   */
  void enqueue(Event event, Runnable beforeCommit) throws Exception;

  /** Writes all events in one transaction, as fast as possible; never measured. */
  void fill(List<Event> events) throws Exception;

  /** Blocks a number of its keys behind a dead letter each; never measured. */
  default void block(int keys, int each) {
    throw new UnsupportedOperationException("it cannot block keys");
  }

  /** Starts to move events to the topic and returns. */
  void startRelay() throws Exception;

  /** Stops moving events after those in flight are settled; it may be started again. */
  void stopRelay();

  /** Called after {@link #stopRelay()}. */
  @Override
  void close();
}
