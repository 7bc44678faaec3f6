package io.postroad.framework.internal.settings;

import io.postroad.outbox.Backoff;
import io.postroad.outbox.RelayOptions;
import java.time.Duration;

/** The properties {@code postroad.relay.*}. An empty name counts as not given. */
public interface RelaySettings {
  String name();

  int batch();

  int maxBatch();

  Duration leaseFor();

  Duration laneLeaseFor();

  Duration sweepEvery();

  int maxAttempts();

  Duration retention();

  Duration drainFor();

  RelayOptions.PoisonKey poisonKey();

  /** The properties {@code postroad.relay.backoff.*}. */
  interface Waits {
    Duration first();

    double factor();

    Duration max();
  }

  default RelayOptions options(Waits waits) {
    RelayOptions defaults = RelayOptions.defaults();
    int largest = Math.max(maxBatch(), batch());
    return defaults
        .withName(name().isEmpty() ? defaults.name() : name())
        // Each step refuses a maximum below the batch: raise, set the batch, then lower.
        .withMaxBatch(Math.max(largest, defaults.maxBatch()))
        .withBatch(batch())
        .withMaxBatch(largest)
        .withLeaseFor(leaseFor())
        .withLaneLeaseFor(laneLeaseFor())
        .withSweepEvery(sweepEvery())
        .withMaxAttempts(maxAttempts())
        .withRetention(retention())
        .withDrainFor(drainFor())
        .withPoisonKey(poisonKey())
        .withBackoff(
            new Backoff(waits.first(), waits.factor(), waits.max(), Backoff.defaults().jitter()));
  }
}
