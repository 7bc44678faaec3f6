package io.postroad.benchmarks.outbox;

/**
 * The business data: every transaction inserts one order. Thread-safe.
 *
 * @param <T> a transaction
 */
interface Orders<T> {
  void insert(T transaction, Event event) throws Exception;
}
