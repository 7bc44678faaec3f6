package io.postroad.example.market;

import io.postroad.example.market.shared.outbox.OutboxProperties;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.RelayOptions;
import io.postroad.spring.boot.internal.settings.PostroadKafkaProperties;
import io.postroad.spring.boot.internal.settings.RelayProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.RandomValuePropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ClassPathResource;

/** The settings of the application: its application.yml and further properties. */
public record Settings(StandardEnvironment environment) {

  public static Settings of(Map<String, Object> given) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("given", given));
    try {
      new YamlPropertySourceLoader()
          .load("application", new ClassPathResource("application.yml"))
          .forEach(environment.getPropertySources()::addLast);
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
    RandomValuePropertySource.addToEnvironment(environment);
    ConfigurationPropertySources.attach(environment);
    return new Settings(environment);
  }

  public OutboxProperties outbox() {
    return bind("app.outbox", OutboxProperties.class);
  }

  public RelayProperties relay() {
    return bind("postroad.relay", RelayProperties.class);
  }

  public PostroadKafkaProperties kafka() {
    return bind("postroad.kafka", PostroadKafkaProperties.class);
  }

  private <P> P bind(String prefix, Class<P> type) {
    return Binder.get(environment).bindOrCreate(prefix, type);
  }

  /** Returns the relay options of the starter, without the random part of the waits. */
  public RelayOptions relayOptions(String node) {
    RelayProperties relay = relay();
    return RelayOptions.defaults()
        .withName(node)
        .withBatch(relay.batch())
        .withMaxBatch(relay.maxBatch())
        .withLeaseFor(relay.leaseFor())
        .withSweepEvery(relay.sweepEvery())
        .withMaxAttempts(relay.maxAttempts())
        .withRetention(relay.retention())
        .withBackoff(
            new Backoff(
                relay.backoff().first(), relay.backoff().factor(), relay.backoff().max(), 0));
  }
}
