package io.postroad.internal.relay;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.ErrorText;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.store.BlockedSummary;
import io.postroad.store.PurgeResult;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes delivered messages and audit entries past their time, in bounded steps, and tells what is
 * parked.
 */
public final class Purger implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
  private static final int STEP = 1000;

  private final OutboxStore<?> store;
  private final RelayOptions options;
  private final ObserverGuard observer;

  public Purger(OutboxStore<?> store, RelayOptions options, ObserverGuard observer) {
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
    if (result.more()) {
      return Duration.ZERO;
    }
    purgeAudit();
    tellParked();
    return options.purgeEvery();
  }

  private PurgeResult purge() {
    return ask("purge", () -> store.purge(options.retention(), STEP));
  }

  private void purgeAudit() {
    int removed =
        ask(
            "purge the audit",
            () -> store.deadLetters().purgeAudit(store.now().minus(options.auditFor()), STEP));
    if (removed > 0) {
      LOG.info("{}: audit entries past their time removed; count={}", options.name(), removed);
    }
  }

  private void tellParked() {
    if (!(store instanceof OrderedStore<?> ordered)) {
      return;
    }
    BlockedSummary parked = ask("parked", ordered.blockedKeys()::summary);
    if (parked.keys() > 0) {
      LOG.warn(
          "{}: keys wait behind dead letters until somebody decides; keys={} messages={} oldest={}",
          options.name(),
          parked.keys(),
          parked.messages(),
          parked.oldest());
      observer.on(
          new OutboxSignal.KeysParked(
              options.name(), parked.keys(), parked.messages(), parked.oldest()));
    }
  }

  private <R> R ask(String verb, Supplier<R> question) {
    try {
      return question.get();
    } catch (RuntimeException failed) {
      observer.on(new OutboxSignal.StoreFailed(options.name(), verb, ErrorText.of(failed)));
      throw failed;
    }
  }
}
