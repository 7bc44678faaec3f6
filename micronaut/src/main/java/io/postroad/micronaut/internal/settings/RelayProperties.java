package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.postroad.framework.internal.settings.RelaySettings;
import io.postroad.framework.internal.settings.TransportKind;
import io.postroad.outbox.RelayOptions;
import java.time.Duration;

/**
 * The properties of the relay.
 *
 * @param enabled whether this node sends; if not, another node must
 * @param transport where to: auto (the broker of the application), kafka, jms or local (its own
 *     handlers)
 * @param name name of this node in logs and leases; relay-, host, process id and a random part
 *     unless given
 * @param batch messages that are read at once when there is little to do
 * @param maxBatch how far the batch grows while there is a backlog
 * @param leaseFor how long a claim holds in a store whose relays compete, such as a table that was
 *     adopted; longer than the send timeout
 * @param laneLeaseFor how long a lane is owned without renewal, and so how long it waits after a
 *     crash; may be shorter than the send timeout
 * @param sweepEvery longest time between two polls for messages
 * @param maxAttempts attempts before a message is a dead letter
 * @param retention how long delivered messages are kept
 * @param drainFor how long a stop waits for messages in flight
 * @param poisonKey what happens to a key when one of its messages becomes a dead letter: park, its
 *     messages wait for an operator, or skip, they are sent without it
 */
@ConfigurationProperties("postroad.relay")
public record RelayProperties(
    @Bindable(defaultValue = "true") boolean enabled,
    @Bindable(defaultValue = "AUTO") TransportKind transport,
    @Bindable(defaultValue = "") String name,
    @Bindable(defaultValue = "100") int batch,
    @Bindable(defaultValue = "1000") int maxBatch,
    @Bindable(defaultValue = "60s") Duration leaseFor,
    @Bindable(defaultValue = "10s") Duration laneLeaseFor,
    @Bindable(defaultValue = "1s") Duration sweepEvery,
    @Bindable(defaultValue = "8") int maxAttempts,
    @Bindable(defaultValue = "7d") Duration retention,
    @Bindable(defaultValue = "30s") Duration drainFor,
    @Bindable(defaultValue = "PARK") RelayOptions.PoisonKey poisonKey)
    implements RelaySettings {}
