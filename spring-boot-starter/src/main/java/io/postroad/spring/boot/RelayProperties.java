package io.postroad.spring.boot;

import io.postroad.outbox.Backoff;
import io.postroad.outbox.RelayOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How messages are sent.
 *
 * @param enabled whether this node sends; without, another one must
 * @param transport where to: auto (the broker that the application has), kafka, jms or local (its
 *     own handlers)
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
 * @param backoff waits between attempts
 */
@ConfigurationProperties("postroad.relay")
public record RelayProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("auto") Transport transport,
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
    @DefaultValue BackoffProperties backoff) {

  /** Where messages are sent. */
  public enum Transport {
    /** To the one that there is; refused when there are several, or none. */
    AUTO,
    /** To Kafka, by the application's connection details. */
    KAFKA,
    /** To JMS, by the application's ConnectionFactory. */
    JMS,
    /** To the handlers of this application, without a broker. */
    LOCAL
  }

  /**
   * Waits between attempts.
   *
   * @param first the wait after the first attempt
   * @param factor how much longer each next wait is
   * @param max the longest wait
   */
  public record BackoffProperties(
      @DefaultValue("1s") Duration first,
      @DefaultValue("2") double factor,
      @DefaultValue("5m") Duration max) {}

  RelayOptions options() {
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
        .withBackoff(backoffOptions());
  }

  private Backoff backoffOptions() {
    Backoff defaults = Backoff.defaults();
    return new Backoff(backoff.first(), backoff.factor(), backoff.max(), defaults.jitter());
  }
}
