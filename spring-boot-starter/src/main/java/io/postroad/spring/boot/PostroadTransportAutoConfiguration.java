package io.postroad.spring.boot;

import io.postroad.inbox.Inbox;
import io.postroad.jms.JmsSender;
import io.postroad.jms.JmsSenderOptions;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.spring.boot.internal.JmsConnections;
import io.postroad.spring.boot.internal.KafkaLogin;
import io.postroad.spring.boot.internal.Refused;
import io.postroad.spring.boot.internal.Transport;
import jakarta.jms.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Senders to whatever brokers the application has; the relay chooses among them. */
@AutoConfiguration(
    after = {PostroadOutboxAutoConfiguration.class, PostroadInboxAutoConfiguration.class},
    afterName = {
      "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
      "org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration",
      "org.springframework.boot.artemis.autoconfigure.ArtemisAutoConfiguration"
    })
public final class PostroadTransportAutoConfiguration {

  /** To Kafka. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({KafkaSender.class, KafkaConnectionDetails.class})
  @ConditionalOnBean(KafkaConnectionDetails.class)
  @EnableConfigurationProperties(PostroadKafkaProperties.class)
  static class Kafka {

    @Bean
    @ConditionalOnMissingBean
    KafkaSenderOptions postroadKafkaSenderOptions(
        KafkaConnectionDetails connection,
        KafkaProperties application,
        PostroadKafkaProperties properties) {
      return Refused.unlessFit(
          "postroad.kafka",
          () -> {
            KafkaSenderOptions options =
                KafkaSenderOptions.of(
                        String.join(",", connection.getProducer().getBootstrapServers()))
                    .withSettings(
                        KafkaLogin.of(
                            application.buildProducerProperties(), connection.getProducer()))
                    .withSettings(properties.settings())
                    .withSendTimeout(properties.sendTimeout());
            if (properties.transactionalIdPrefix() != null) {
              options = options.withTransactionalIdPrefix(properties.transactionalIdPrefix());
            }
            return properties.cloudEventsSource() == null
                ? options
                : options.withCloudEvents(properties.cloudEventsSource());
          });
    }

    @Bean
    Transport postroadKafkaTransport(KafkaSenderOptions options) {
      return new Transport(RelayProperties.Transport.KAFKA, () -> KafkaSender.create(options));
    }
  }

  /** To JMS: Artemis, IBM MQ or whatever the ConnectionFactory is of. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({JmsSender.class, ConnectionFactory.class})
  @ConditionalOnBean(ConnectionFactory.class)
  @EnableConfigurationProperties(PostroadJmsProperties.class)
  static class Jms {

    @Bean
    Transport postroadJmsTransport(
        ConnectionFactory connections, PostroadJmsProperties properties) {
      return new Transport(
          RelayProperties.Transport.JMS,
          () ->
              JmsSender.create(
                  JmsConnections.plain(connections),
                  Refused.unlessFit(
                      "postroad.jms",
                      () ->
                          JmsSenderOptions.defaults().withSendTimeout(properties.sendTimeout()))));
    }
  }

  /** To the handlers of the application itself; the inbox is made when it is chosen. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(Inbox.class)
  static class Local {

    @Bean
    Transport postroadLocalTransport(ObjectProvider<Inbox<?>> inbox) {
      return new Transport(RelayProperties.Transport.LOCAL, () -> inbox.getObject().localSender());
    }
  }
}
