package io.postroad.outbox;

import io.postroad.internal.relay.ObserverGuard;

/**
 * Hears what happens in an outbox; metrics, alerts and tests are built on it.
 *
 * <p>Called on the thread on which it happened, so it must be quick and safe to call from many
 * threads. What it throws is logged and changes nothing. A crash loses signals: they are news, not
 * records.
 */
@FunctionalInterface
public interface OutboxObserver {

  void on(OutboxSignal signal);

  /** Hears nothing. */
  static OutboxObserver none() {
    return signal -> {};
  }

  /** This observer, then another. */
  default OutboxObserver and(OutboxObserver next) {
    return signal -> {
      ObserverGuard.of(this).on(signal);
      next.on(signal);
    };
  }
}
