package io.postroad.micronaut.internal.settings;

import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;
import io.postroad.framework.internal.settings.KafkaSettings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Reads the settings of Kafka's clients, by the names that Kafka gives them. Settings in a file are
 * found as they were written. An environment variable ({@code KAFKA_SSL_KEYSTORE_PASSWORD}) is
 * found only by its name, so all names that Kafka knows are tried.
 */
public final class KafkaEnvironment {
  private final Environment environment;

  public KafkaEnvironment(Environment environment) {
    this.environment = environment;
  }

  /** Returns the settings by which the application logs in to Kafka, and no others. */
  public Map<String, Object> login() {
    Set<String> known = new HashSet<>(ProducerConfig.configNames());
    known.addAll(ConsumerConfig.configNames());
    return under("kafka", known, KafkaSettings::isLogin);
  }

  public Map<String, Object> ofProducer() {
    return under("postroad.kafka.settings", ProducerConfig.configNames(), name -> true);
  }

  public Map<String, Object> ofConsumer() {
    return under("postroad.kafka.receiver.settings", ConsumerConfig.configNames(), name -> true);
  }

  private Map<String, Object> under(String prefix, Set<String> known, Predicate<String> wanted) {
    Map<String, Object> settings = new HashMap<>();
    environment.getProperties(prefix, StringConvention.RAW).forEach(settings::put);
    for (String name : known) {
      environment
          .getProperty(prefix + "." + name, String.class)
          .ifPresent(value -> settings.put(name, value));
    }
    settings.keySet().removeIf(wanted.negate());
    return settings;
  }
}
