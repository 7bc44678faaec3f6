package io.postroad.outbox;

import io.postroad.internal.relay.ObserverGuard;

/**
 * Receives the signals of an outbox; metrics, alerts and tests are built on it.
 *
 * <p>Called on the thread that causes the signal, so it must be quick and safe to call from many
 * threads. Its exceptions are logged and change nothing. A crash loses signals: they are not
 * stored.
 */
@FunctionalInterface
public interface OutboxObserver {

  void on(OutboxSignal signal);

  /** Returns an observer that ignores all signals. */
  static OutboxObserver none() {
    return signal -> {};
  }

  /** Returns an observer that calls this one, then {@code next}. */
  default OutboxObserver and(OutboxObserver next) {
    return signal -> {
      ObserverGuard.of(this).on(signal);
      next.on(signal);
    };
  }
}
