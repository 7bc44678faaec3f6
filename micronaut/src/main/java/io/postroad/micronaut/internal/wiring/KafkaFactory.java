package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.context.env.Environment;
import io.postroad.framework.internal.settings.KafkaOptions;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.settings.TransportKind;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.framework.internal.wiring.Transport;
import io.postroad.inbox.Inbox;
import io.postroad.kafka.KafkaReceiver;
import io.postroad.kafka.KafkaReceiverOptions;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.micronaut.internal.settings.KafkaEnvironment;
import io.postroad.micronaut.internal.settings.KafkaProperties;
import io.postroad.micronaut.internal.settings.KafkaReceiverProperties;
import jakarta.inject.Singleton;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * Sends to the application's Kafka, and receives from it. Takes the brokers from {@code
 * kafka.bootstrap.servers}, as Micronaut Kafka does; that library is not needed.
 */
@Factory
@Requires(classes = {KafkaSender.class, KafkaProducer.class})
@Requires(property = KafkaFactory.SERVERS)
final class KafkaFactory {
  static final String SERVERS = "kafka.bootstrap.servers";

  private final String servers;
  private final KafkaEnvironment settings;

  KafkaFactory(Environment environment) {
    this.servers = environment.getRequiredProperty(SERVERS, String.class);
    this.settings = new KafkaEnvironment(environment);
  }

  @Singleton
  @Secondary
  KafkaSenderOptions postroadKafkaSenderOptions(KafkaProperties properties) {
    return KafkaOptions.of(servers, settings.login(), settings.ofProducer(), properties);
  }

  @Singleton
  Transport postroadKafkaTransport(KafkaSenderOptions options) {
    return new Transport(TransportKind.KAFKA, () -> KafkaSender.create(options));
  }

  @Singleton
  @Secondary
  @Requires(property = "postroad.kafka.receiver.group-id")
  KafkaReceiverOptions postroadKafkaReceiverOptions(
      KafkaReceiverProperties receiver, ConnectionBudget budget) {
    return Refusals.unlessFit(
        "postroad.kafka.receiver",
        () ->
            KafkaReceiverOptions.of(servers, receiver.groupId())
                .withSettings(settings.login())
                .withSettings(settings.ofConsumer())
                .withTopics(receiver.topics())
                .withConcurrency(budget.handlers(receiver.concurrency())));
  }

  @Singleton
  @Secondary
  @Bean(preDestroy = "close")
  @Requires(beans = Inbox.class)
  @Requires(property = "postroad.kafka.receiver.group-id")
  KafkaReceiver postroadKafkaReceiver(KafkaReceiverOptions options, Inbox<?> inbox) {
    return Refusals.unlessFit(
        "postroad.kafka.receiver", () -> KafkaReceiver.create(options, inbox));
  }

  @Singleton
  @Requires(beans = Inbox.class)
  @Requires(property = "postroad.kafka.receiver.group-id")
  ConnectionBudget.Part postroadKafkaConnections(KafkaReceiverProperties properties) {
    return ConnectionBudget.Part.kafkaReceiver(properties.concurrency());
  }

  @Singleton
  @Requires(beans = Inbox.class)
  @Requires(property = "postroad.kafka.receiver.group-id")
  Part postroadKafkaReceiverPart(KafkaReceiver receiver) {
    return new Part(Part.Phase.RECEIVERS, "kafka receiver", receiver::start, receiver::stop);
  }
}
