package io.postroad.internal.relay;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.store.BlockedSummary;
import io.postroad.store.PurgeResult;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes delivered messages and audit entries past their time, in bounded steps, and reports keys
 * that are blocked behind dead letters.
 */
public final class Purger implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
  private static final int STEP = 1000;

  private final OutboxStore<?> store;
  private final RelayOptions options;
  private final RelayEvents events;

  public Purger(OutboxStore<?> store, RelayParts parts) {
    this.store = store;
    this.options = parts.options();
    this.events = parts.events();
  }

  @Override
  public Duration runOnce() {
    PurgeResult result = events.ask("purge", () -> store.purge(options.retention(), STEP));
    if (result.messages() > 0) {
      events.signal(new OutboxSignal.Purged(options.name(), result.messages()));
    }
    if (!result.blockedBy().isEmpty()) {
      LOG.warn(
          "{}: space that is due cannot be freed; blockedBy={}",
          options.name(),
          result.blockedBy());
      events.signal(new OutboxSignal.PurgeBlocked(options.name(), result.blockedBy()));
    }
    if (result.more()) {
      return Duration.ZERO;
    }
    purgeAudit();
    reportBlockedKeys();
    return options.purgeEvery();
  }

  private void purgeAudit() {
    int removed =
        events.ask(
            "purge the audit",
            () -> store.deadLetters().purgeAudit(store.now().minus(options.auditFor()), STEP));
    if (removed > 0) {
      LOG.info("{}: audit entries past their time removed; count={}", options.name(), removed);
    }
  }

  private void reportBlockedKeys() {
    if (!(store instanceof OrderedStore<?> ordered)) {
      return;
    }
    BlockedSummary blocked = events.ask("blocked keys", ordered.blockedKeys()::summary);
    if (blocked.keys() > 0) {
      LOG.warn(
          "{}: keys are blocked behind dead letters until an operator decides; keys={} messages={}"
              + " oldest={}",
          options.name(),
          blocked.keys(),
          blocked.messages(),
          blocked.oldest());
      events.signal(
          new OutboxSignal.KeysParked(
              options.name(), blocked.keys(), blocked.messages(), blocked.oldest()));
    }
  }
}
