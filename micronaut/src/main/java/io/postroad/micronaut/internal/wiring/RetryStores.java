package io.postroad.micronaut.internal.wiring;

import io.postroad.spi.OrderedStore;

/**
 * Opens the store of the retry line, beside the outbox in the same database.
 *
 * @param <T> the transaction type of the database
 */
@FunctionalInterface
interface RetryStores<T> {

  /**
   * @param prefix begins the names of its tables, behind the prefix of the outbox
   */
  OrderedStore<T> open(String prefix);
}
