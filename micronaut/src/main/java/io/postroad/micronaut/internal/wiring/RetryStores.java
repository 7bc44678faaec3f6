package io.postroad.micronaut.internal.wiring;

import io.postroad.spi.OrderedStore;

/**
 * Opens the store of the retry line, beside the outbox in the same database.
 *
 * @param <T> what a transaction of the database is
 */
@FunctionalInterface
interface RetryStores<T> {

  /**
   * @param prefix begins its names, behind the prefix of the outbox
   */
  OrderedStore<T> open(String prefix);
}
