package io.postroad.spring.boot.internal.settings;

import io.postroad.framework.internal.settings.KafkaSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of sending to Kafka and receiving from it. Brokers and their security are the
 * application's own, spring.kafka and its connection details.
 *
 * @param sendTimeout how long a send may take; 11s more must be below postroad.relay.lease-for
 *     where relays compete
 * @param transactionalIdPrefix begins the transactional ids of the lanes, so that a frozen node
 *     cannot finish what it was sending; none unless given
 * @param cloudEventsSource adds the headers of CloudEvents with this source; none unless given
 * @param settings further settings of the producer, by their names in Kafka
 * @param receiver how messages are received
 */
@ConfigurationProperties("postroad.kafka")
public record PostroadKafkaProperties(
    @DefaultValue("15s") Duration sendTimeout,
    @DefaultValue("") String transactionalIdPrefix,
    @DefaultValue("") String cloudEventsSource,
    @DefaultValue Map<String, String> settings,
    @DefaultValue Receiver receiver)
    implements KafkaSettings {

  /**
   * The properties of receiving.
   *
   * @param groupId receives for the inbox in this group; nothing is received unless given
   * @param topics topics to receive; those that have handlers unless given
   * @param concurrency handlers that run at once; 10 unless given, or a share of half the
   *     connection pool where that is less
   * @param settings further settings of the consumer, by their names in Kafka
   */
  public record Receiver(
      @DefaultValue("") String groupId,
      @DefaultValue Set<String> topics,
      @Nullable Integer concurrency,
      @DefaultValue Map<String, String> settings) {}
}
