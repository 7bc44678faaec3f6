package io.postroad.micronaut;

import io.postroad.outbox.OutboxSignal;

/**
 * Hears what happens in the retry line of the inbox; all beans of this type do. It is told apart
 * from {@code OutboxObserver}, whose beans hear of the outbox only, so that nothing counts twice.
 *
 * <p>Called on the threads of the retry line, without a transaction: be quick, and safe to use from
 * many threads. What it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface RetryLineObserver {

  void on(OutboxSignal signal);
}
