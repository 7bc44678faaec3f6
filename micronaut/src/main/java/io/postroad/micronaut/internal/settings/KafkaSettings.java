package io.postroad.micronaut.internal.settings;

import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Settings of Kafka's clients, by the names that Kafka gives them, wherever they were set. What
 * stands in a file is found as it was written; environment variables ({@code
 * KAFKA_SSL_KEYSTORE_PASSWORD}) only by a name that is asked for, so all that Kafka has are.
 */
public final class KafkaSettings {
  private final Environment environment;

  public KafkaSettings(Environment environment) {
    this.environment = environment;
  }

  /** How the application logs in to Kafka, and nothing of how it sends or receives. */
  public Map<String, Object> login() {
    Set<String> known = new HashSet<>(ProducerConfig.configNames());
    known.addAll(ConsumerConfig.configNames());
    return under("kafka", known, KafkaSettings::isOfLogin);
  }

  public Map<String, Object> ofProducer() {
    return under("postroad.kafka.settings", ProducerConfig.configNames(), name -> true);
  }

  public Map<String, Object> ofConsumer() {
    return under("postroad.kafka.receiver.settings", ConsumerConfig.configNames(), name -> true);
  }

  private static boolean isOfLogin(String name) {
    return name.startsWith("security.") || name.startsWith("ssl.") || name.startsWith("sasl.");
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
