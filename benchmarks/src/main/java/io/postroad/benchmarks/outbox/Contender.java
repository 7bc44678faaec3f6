package io.postroad.benchmarks.outbox;

import java.sql.SQLException;
import java.util.List;

/**
 * One way to get events from committed transactions to the topic. Made for one round, on an empty
 * schema: the constructor creates its tables, and the schema is dropped after {@link #close()}.
 */
interface Contender extends AutoCloseable {

  /** Makes the contender of a round. */
  @FunctionalInterface
  interface Factory {
    Contender enter(Arena arena) throws SQLException;
  }

  /**
   * One transaction: a row in {@link Orders}, the event, {@code beforeCommit}, the commit. Called
   * from many threads.
   */
  void enqueue(Orders orders, Event event, Runnable beforeCommit) throws SQLException;

  /** All these events in one transaction, as fast as it can; never measured. */
  void fill(List<Event> events) throws SQLException;

  /** Starts to move events to the topic and returns. */
  void startRelay() throws SQLException;

  /** Stops moving events when those in flight are settled; it may be started again. */
  void stopRelay();

  /** Called after {@link #stopRelay()}. */
  @Override
  void close();
}
