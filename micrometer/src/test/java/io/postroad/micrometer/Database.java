package io.postroad.micrometer;

import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.process.ProcessStore;

/**
 * The stores of one service, in an empty database of its own on a real server.
 *
 * @param <T> what a transaction of it is
 */
interface Database<T> extends AutoCloseable {

  OrderedStore<T> outbox();

  OrderedStore<T> retries();

  InboxStore<T> inbox();

  CommandStore<T> commands();

  ProcessStore<T> processes();

  @Override
  void close();
}
