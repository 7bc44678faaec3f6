package io.postroad.framework.internal.settings;

import io.postroad.kafka.KafkaSenderOptions;
import java.util.Map;

/** Makes the options of the sender to Kafka. */
public final class KafkaOptions {
  private KafkaOptions() {}

  /**
   * Returns the options for these brokers.
   *
   * @param login how the application's own clients log in
   * @param settings further settings of the producer, which win
   */
  public static KafkaSenderOptions of(
      String servers, Map<String, ?> login, Map<String, ?> settings, KafkaSettings properties) {
    return Refusals.unlessFit(
        "postroad.kafka",
        () -> {
          KafkaSenderOptions options =
              KafkaSenderOptions.of(servers)
                  .withSettings(login)
                  .withSettings(settings)
                  .withSendTimeout(properties.sendTimeout());
          if (!properties.transactionalIdPrefix().isEmpty()) {
            options = options.withTransactionalIdPrefix(properties.transactionalIdPrefix());
          }
          return properties.cloudEventsSource().isEmpty()
              ? options
              : options.withCloudEvents(properties.cloudEventsSource());
        });
  }
}
