package io.postroad.faults;

import io.postroad.spi.InboxStore;
import io.postroad.spi.OrderedStore;

/**
 * An inbox, its retry line, what handlers wrote, and the connections they were opened with; closes
 * them all.
 *
 * @param <T> what a transaction is
 */
record OpenInbox<T>(
    InboxStore<T> inbox, OrderedStore<T> retries, Effects<T> effects, AutoCloseable connections)
    implements AutoCloseable {
  /** How the names of a retry line begin. */
  static final String RETRY_PREFIX = "retry_";

  @Override
  public void close() throws Exception {
    inbox.close();
    retries.close();
    connections.close();
  }
}
