package io.postroad.outbox;

import io.postroad.store.OutboxStore;
import java.time.Duration;

/** Removes delivered messages past their retention, in bounded steps. */
final class Purger implements BackgroundLoop.Pass {
  private static final int STEP = 1000;

  private final OutboxStore<?> store;
  private final RelayOptions options;
  private final ObserverGuard observer;

  Purger(OutboxStore<?> store, RelayOptions options, ObserverGuard observer) {
    this.store = store;
    this.options = options;
    this.observer = observer;
  }

  @Override
  public Duration runOnce() {
    int removed = purge();
    if (removed > 0) {
      observer.on(new OutboxSignal.Purged(options.name(), removed));
    }
    return removed == STEP ? Duration.ZERO : options.purgeEvery();
  }

  private int purge() {
    try {
      return store.purge(options.retention(), STEP);
    } catch (RuntimeException failed) {
      observer.on(new OutboxSignal.StoreFailed(options.name(), "purge", ErrorText.of(failed)));
      throw failed;
    }
  }
}
