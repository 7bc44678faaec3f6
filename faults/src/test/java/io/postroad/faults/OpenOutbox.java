package io.postroad.faults;

import io.postroad.spi.OutboxStore;

/**
 * An outbox and the connections it was opened with; closes both.
 *
 * @param <T> what a transaction is
 */
record OpenOutbox<T>(OutboxStore<T> store, AutoCloseable connections) implements AutoCloseable {
  @Override
  public void close() throws Exception {
    store.close();
    connections.close();
  }
}
