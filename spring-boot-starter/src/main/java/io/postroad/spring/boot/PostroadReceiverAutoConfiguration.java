package io.postroad.spring.boot;

import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.inbox.Inbox;
import io.postroad.jms.JmsReceiver;
import io.postroad.jms.JmsReceiverOptions;
import io.postroad.kafka.KafkaReceiver;
import io.postroad.kafka.KafkaReceiverOptions;
import io.postroad.spring.boot.internal.JmsConnections;
import io.postroad.spring.boot.internal.KafkaLogin;
import io.postroad.spring.boot.internal.PartLifecycle;
import io.postroad.spring.boot.internal.settings.PostroadJmsProperties;
import io.postroad.spring.boot.internal.settings.PostroadKafkaProperties;
import jakarta.jms.ConnectionFactory;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Receives for the inbox from the brokers that the application names. */
@AutoConfiguration(after = PostroadTransportAutoConfiguration.class)
@ConditionalOnBean(Inbox.class)
public final class PostroadReceiverAutoConfiguration {

  /** From Kafka. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({KafkaReceiver.class, KafkaConnectionDetails.class})
  @ConditionalOnBean(KafkaConnectionDetails.class)
  @ConditionalOnProperty("postroad.kafka.receiver.group-id")
  @EnableConfigurationProperties(PostroadKafkaProperties.class)
  static class Kafka {

    @Bean
    @ConditionalOnMissingBean
    KafkaReceiverOptions postroadKafkaReceiverOptions(
        KafkaConnectionDetails connection,
        KafkaProperties application,
        PostroadKafkaProperties properties,
        ConnectionBudget budget) {
      PostroadKafkaProperties.Receiver receiver = properties.receiver();
      return Refusals.unlessFit(
          "postroad.kafka.receiver",
          () ->
              KafkaReceiverOptions.of(
                      String.join(",", connection.getConsumer().getBootstrapServers()),
                      receiver.groupId())
                  .withSettings(
                      KafkaLogin.of(
                          application.buildConsumerProperties(), connection.getConsumer()))
                  .withSettings(receiver.settings())
                  .withTopics(receiver.topics())
                  .withConcurrency(budget.handlers(receiver.concurrency())));
    }

    @Bean
    @ConditionalOnMissingBean(KafkaReceiver.class)
    ConnectionBudget.Part postroadKafkaConnections(PostroadKafkaProperties properties) {
      return ConnectionBudget.Part.kafkaReceiver(properties.receiver().concurrency());
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    KafkaReceiver postroadKafkaReceiver(KafkaReceiverOptions options, Inbox<?> inbox) {
      return Refusals.unlessFit(
          "postroad.kafka.receiver", () -> KafkaReceiver.create(options, inbox));
    }

    @Bean
    PartLifecycle postroadKafkaReceiverLifecycle(
        KafkaReceiver receiver, ObjectProvider<StartedByHand> startedByHand) {
      return new PartLifecycle(
          PartLifecycle.RECEIVERS, receiver::start, receiver::stop, startedByHand);
    }
  }

  /** From JMS. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({JmsReceiver.class, ConnectionFactory.class})
  @ConditionalOnBean(ConnectionFactory.class)
  @ConditionalOnBooleanProperty("postroad.jms.receiver.enabled")
  @EnableConfigurationProperties(PostroadJmsProperties.class)
  static class Jms {

    @Bean
    @ConditionalOnMissingBean(JmsReceiver.class)
    ConnectionBudget.Part postroadJmsConnections(PostroadJmsProperties properties) {
      return ConnectionBudget.Part.jmsReceiver(
          properties.receiver().concurrency(), properties.receiver().queues().size());
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    JmsReceiver postroadJmsReceiver(
        ConnectionFactory connections,
        PostroadJmsProperties properties,
        ConnectionBudget budget,
        Inbox<?> inbox) {
      PostroadJmsProperties.Receiver receiver = properties.receiver();
      Set<String> queues =
          receiver.queues().isEmpty() ? inbox.handlers().destinations() : receiver.queues();
      return Refusals.unlessFit(
          "postroad.jms.receiver",
          () ->
              JmsReceiver.create(
                  JmsConnections.plain(connections),
                  JmsReceiverOptions.defaults()
                      .withQueues(receiver.queues())
                      .withConcurrency(
                          budget.handlersPerQueue(receiver.concurrency(), queues.size())),
                  inbox));
    }

    @Bean
    PartLifecycle postroadJmsReceiverLifecycle(
        JmsReceiver receiver, ObjectProvider<StartedByHand> startedByHand) {
      return new PartLifecycle(
          PartLifecycle.RECEIVERS, receiver::start, receiver::stop, startedByHand);
    }
  }
}
