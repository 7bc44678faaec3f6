package io.postroad.faults;

import io.postroad.spi.CommandStore;
import io.postroad.spi.OrderedStore;

/**
 * Commands, an outbox in the same database, what handlers wrote, and the connections they were
 * opened with; closes them all.
 *
 * @param <T> what a transaction is
 */
record OpenCommands<T>(
    CommandStore<T> commands, OrderedStore<T> outbox, Effects<T> effects, AutoCloseable connections)
    implements AutoCloseable {
  @Override
  public void close() throws Exception {
    commands.close();
    outbox.close();
    connections.close();
  }
}
