package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.context.env.Environment;
import io.postroad.inbox.Inbox;
import io.postroad.kafka.KafkaReceiver;
import io.postroad.kafka.KafkaReceiverOptions;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.micronaut.internal.settings.KafkaProperties;
import io.postroad.micronaut.internal.settings.KafkaReceiverProperties;
import io.postroad.micronaut.internal.settings.KafkaSettings;
import io.postroad.micronaut.internal.settings.Refused;
import io.postroad.micronaut.internal.settings.RelayProperties;
import jakarta.inject.Singleton;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * Sends to the application's Kafka, and receives from it. It is known by {@code
 * kafka.bootstrap.servers}, as in Micronaut Kafka, which need not be there.
 */
@Factory
@Requires(classes = {KafkaSender.class, KafkaProducer.class})
@Requires(property = KafkaFactory.SERVERS)
final class KafkaFactory {
  static final String SERVERS = "kafka.bootstrap.servers";

  private final String servers;
  private final KafkaSettings settings;

  KafkaFactory(Environment environment) {
    this.servers = environment.getRequiredProperty(SERVERS, String.class);
    this.settings = new KafkaSettings(environment);
  }

  @Singleton
  @Secondary
  KafkaSenderOptions postroadKafkaSenderOptions(KafkaProperties properties) {
    return Refused.unlessFit(
        "postroad.kafka",
        () -> {
          KafkaSenderOptions options =
              KafkaSenderOptions.of(servers)
                  .withSettings(settings.login())
                  .withSettings(settings.ofProducer())
                  .withSendTimeout(properties.sendTimeout());
          if (!properties.transactionalIdPrefix().isEmpty()) {
            options = options.withTransactionalIdPrefix(properties.transactionalIdPrefix());
          }
          return properties.cloudEventsSource().isEmpty()
              ? options
              : options.withCloudEvents(properties.cloudEventsSource());
        });
  }

  @Singleton
  Transport postroadKafkaTransport(KafkaSenderOptions options) {
    return new Transport(RelayProperties.Transport.KAFKA, () -> KafkaSender.create(options));
  }

  @Singleton
  @Secondary
  @Requires(property = "postroad.kafka.receiver.group-id")
  KafkaReceiverOptions postroadKafkaReceiverOptions(KafkaReceiverProperties receiver) {
    return Refused.unlessFit(
        "postroad.kafka.receiver",
        () ->
            KafkaReceiverOptions.of(servers, receiver.groupId())
                .withSettings(settings.login())
                .withSettings(settings.ofConsumer())
                .withTopics(receiver.topics())
                .withConcurrency(receiver.concurrency()));
  }

  @Singleton
  @Secondary
  @Bean(preDestroy = "close")
  @Requires(beans = Inbox.class)
  @Requires(property = "postroad.kafka.receiver.group-id")
  KafkaReceiver postroadKafkaReceiver(KafkaReceiverOptions options, Inbox<?> inbox) {
    return Refused.unlessFit("postroad.kafka.receiver", () -> KafkaReceiver.create(options, inbox));
  }

  @Singleton
  @Requires(beans = Inbox.class)
  @Requires(property = "postroad.kafka.receiver.group-id")
  Part postroadKafkaReceiverPart(KafkaReceiver receiver) {
    return new Part(Part.Phase.RECEIVERS, "kafka receiver", receiver::start, receiver::stop);
  }
}
