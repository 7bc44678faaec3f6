package io.postroad.micronaut;

import io.postroad.store.OrderedStore;

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
