package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.RelayOptions;
import java.time.Duration;

/**
 * How messages are sent.
 *
 * @param enabled whether this node sends; without, another one must
 * @param transport where to: the broker that the application has, unless it has several
 * @param name of this node in logs and leases; relay-, host, process id and a random part unless
 *     given
 * @param batch messages asked for at once when there is little to do
 * @param maxBatch how far the batch grows while there is a backlog
 * @param leaseFor how long a claim holds in a store whose relays compete, such as a table that was
 *     adopted; longer than the send timeout
 * @param laneLeaseFor how long a lane is owned without renewal, and so how long it waits after a
 *     crash; may be shorter than the send timeout
 * @param sweepEvery longest time between two looks for messages
 * @param maxAttempts attempts before a message is a dead letter
 * @param retention how long delivered messages are kept
 * @param drainFor how long a stop waits for messages in flight
 * @param poisonKey what becomes of a key when one of its messages dies: park, it waits for a
 *     person, or skip, it goes on without it
 */
@ConfigurationProperties("postroad.relay")
public record RelayProperties(
    @Bindable(defaultValue = "true") boolean enabled,
    @Bindable(defaultValue = "AUTO") Transport transport,
    @Bindable(defaultValue = "") String name,
    @Bindable(defaultValue = "100") int batch,
    @Bindable(defaultValue = "1000") int maxBatch,
    @Bindable(defaultValue = "60s") Duration leaseFor,
    @Bindable(defaultValue = "10s") Duration laneLeaseFor,
    @Bindable(defaultValue = "1s") Duration sweepEvery,
    @Bindable(defaultValue = "8") int maxAttempts,
    @Bindable(defaultValue = "7d") Duration retention,
    @Bindable(defaultValue = "30s") Duration drainFor,
    @Bindable(defaultValue = "PARK") RelayOptions.PoisonKey poisonKey) {

  /** Where messages are sent. */
  public enum Transport {
    /** To the one that there is; refused when there are several, or none. */
    AUTO,
    /** To Kafka, by the application's kafka.bootstrap.servers. */
    KAFKA,
    /** To JMS, by the application's ConnectionFactory, or IBM MQ by postroad.mq. */
    JMS,
    /** To the handlers of this application, without a broker. */
    LOCAL
  }

  public RelayOptions options(BackoffProperties backoff) {
    RelayOptions defaults = RelayOptions.defaults();
    int largest = Math.max(maxBatch, batch);
    return defaults
        .withName(name.isEmpty() ? defaults.name() : name)
        // Never below the batch on the way, be it the default's or the given one.
        .withMaxBatch(Math.max(largest, defaults.maxBatch()))
        .withBatch(batch)
        .withMaxBatch(largest)
        .withLeaseFor(leaseFor)
        .withLaneLeaseFor(laneLeaseFor)
        .withSweepEvery(sweepEvery)
        .withMaxAttempts(maxAttempts)
        .withRetention(retention)
        .withDrainFor(drainFor)
        .withPoisonKey(poisonKey)
        .withBackoff(
            new Backoff(
                backoff.first(), backoff.factor(), backoff.max(), Backoff.defaults().jitter()));
  }
}
