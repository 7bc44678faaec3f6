package io.postroad.faults;

import io.postroad.spi.CompetingStore;

/**
 * A competing outbox for workers, what handlers wrote, and the connections they were opened with;
 * closes them all.
 *
 * @param <T> what a transaction is
 */
record OpenStreams<T>(CompetingStore<T> store, Effects<T> effects, AutoCloseable connections)
    implements AutoCloseable {
  @Override
  public void close() throws Exception {
    store.close();
    connections.close();
  }
}
