package io.postroad.framework;

import io.postroad.outbox.OutboxSignal;

/**
 * Observes the retry line of the inbox; every bean of this type is called. Beans of {@code
 * OutboxObserver} observe the outbox only, so that nothing is counted twice.
 *
 * <p>Called on the threads of the retry line, outside a transaction: it must return quickly and be
 * safe to use from many threads. An exception is logged and changes nothing.
 */
@FunctionalInterface
public interface RetryLineObserver {

  void on(OutboxSignal signal);
}
