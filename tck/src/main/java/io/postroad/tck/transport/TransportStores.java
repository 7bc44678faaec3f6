package io.postroad.tck.transport;

import io.postroad.spi.InboxStore;
import io.postroad.spi.OrderedStore;

/**
 * Empty stores for one test.
 *
 * @param outbox where messages are appended; where there is no broker, in the inbox's database
 * @param retries where messages wait that failed, in the inbox's database
 * @param inbox what was handled
 */
public record TransportStores<T>(
    OrderedStore<T> outbox, OrderedStore<T> retries, InboxStore<T> inbox) implements AutoCloseable {
  @Override
  public void close() {
    inbox.close();
    retries.close();
    outbox.close();
  }
}
