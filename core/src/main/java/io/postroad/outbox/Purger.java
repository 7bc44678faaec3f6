package io.postroad.outbox;

import io.postroad.store.OutboxStore;
import io.postroad.store.PurgeResult;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes delivered messages past their retention, in bounded steps. */
final class Purger implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
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
    PurgeResult result = purge();
    if (result.messages() > 0) {
      observer.on(new OutboxSignal.Purged(options.name(), result.messages()));
    }
    if (!result.blockedBy().isEmpty()) {
      LOG.warn(
          "{}: space that is due cannot be freed; blocked by {}",
          options.name(),
          result.blockedBy());
      observer.on(new OutboxSignal.PurgeBlocked(options.name(), result.blockedBy()));
    }
    return result.more() ? Duration.ZERO : options.purgeEvery();
  }

  private PurgeResult purge() {
    try {
      return store.purge(options.retention(), STEP);
    } catch (RuntimeException failed) {
      observer.on(new OutboxSignal.StoreFailed(options.name(), "purge", ErrorText.of(failed)));
      throw failed;
    }
  }
}
