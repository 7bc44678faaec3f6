package io.postroad.micronaut.internal.wiring;

import io.postroad.spi.OrderedStore;

/**
 * The store of the retry line, kept apart from the outbox: whoever asks for a store gets that.
 *
 * @param <T> what a transaction of the database is
 */
public record RetryLine<T>(OrderedStore<T> store) implements AutoCloseable {

  @Override
  public void close() {
    store.close();
  }
}
