package io.postroad.spring.boot.internal.settings;

import io.postroad.framework.internal.settings.RelaySettings;
import io.postroad.framework.internal.settings.TransportKind;
import io.postroad.outbox.RelayOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

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
 * @param backoff waits between attempts
 */
@ConfigurationProperties("postroad.relay")
public record RelayProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("auto") TransportKind transport,
    @DefaultValue("") String name,
    @DefaultValue("100") int batch,
    @DefaultValue("1000") int maxBatch,
    @DefaultValue("60s") Duration leaseFor,
    @DefaultValue("10s") Duration laneLeaseFor,
    @DefaultValue("1s") Duration sweepEvery,
    @DefaultValue("8") int maxAttempts,
    @DefaultValue("7d") Duration retention,
    @DefaultValue("30s") Duration drainFor,
    @DefaultValue("park") RelayOptions.PoisonKey poisonKey,
    @DefaultValue BackoffProperties backoff)
    implements RelaySettings {

  /**
   * The waits between attempts.
   *
   * @param first the wait after the first attempt
   * @param factor how much longer each next wait is
   * @param max the longest wait
   */
  public record BackoffProperties(
      @DefaultValue("1s") Duration first,
      @DefaultValue("2") double factor,
      @DefaultValue("5m") Duration max)
      implements Waits {}

  public RelayOptions options() {
    return options(backoff);
  }
}
