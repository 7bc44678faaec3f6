package io.postroad.framework.internal.settings;

import java.time.Duration;

/** The properties {@code postroad.kafka.*}. An empty text counts as not given. */
public interface KafkaSettings {
  Duration sendTimeout();

  String transactionalIdPrefix();

  String cloudEventsSource();

  /** Returns whether a setting of Kafka's clients is part of how they log in to the broker. */
  static boolean isLogin(String name) {
    return name.startsWith("security.") || name.startsWith("ssl.") || name.startsWith("sasl.");
  }
}
