package io.postroad.spring.boot;

import io.postroad.framework.internal.settings.KafkaOptions;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.settings.TransportKind;
import io.postroad.framework.internal.wiring.Transport;
import io.postroad.inbox.Inbox;
import io.postroad.jms.JmsSender;
import io.postroad.jms.JmsSenderOptions;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.spring.boot.internal.JmsConnections;
import io.postroad.spring.boot.internal.KafkaLogin;
import io.postroad.spring.boot.internal.settings.PostroadJmsProperties;
import io.postroad.spring.boot.internal.settings.PostroadKafkaProperties;
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

/** Makes a transport to each broker of the application; the relay chooses one. */
@AutoConfiguration(
    after = {PostroadOutboxAutoConfiguration.class, PostroadInboxAutoConfiguration.class},
    afterName = {
      "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
      "org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration",
      "org.springframework.boot.artemis.autoconfigure.ArtemisAutoConfiguration"
    })
public final class PostroadTransportAutoConfiguration {

  /** Sends to Kafka. */
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
      return KafkaOptions.of(
          String.join(",", connection.getProducer().getBootstrapServers()),
          KafkaLogin.of(application.buildProducerProperties(), connection.getProducer()),
          properties.settings(),
          properties);
    }

    @Bean
    Transport postroadKafkaTransport(KafkaSenderOptions options) {
      return new Transport(TransportKind.KAFKA, () -> KafkaSender.create(options));
    }
  }

  /** Sends to the JMS broker of the application's ConnectionFactory. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({JmsSender.class, ConnectionFactory.class})
  @ConditionalOnBean(ConnectionFactory.class)
  @EnableConfigurationProperties(PostroadJmsProperties.class)
  static class Jms {

    @Bean
    Transport postroadJmsTransport(
        ConnectionFactory connections, PostroadJmsProperties properties) {
      return new Transport(
          TransportKind.JMS,
          () ->
              JmsSender.create(
                  JmsConnections.plain(connections),
                  Refusals.unlessFit(
                      "postroad.jms",
                      () ->
                          JmsSenderOptions.defaults().withSendTimeout(properties.sendTimeout()))));
    }
  }

  /** Sends to the handlers of the application itself. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(Inbox.class)
  static class Local {

    @Bean
    Transport postroadLocalTransport(ObjectProvider<Inbox<?>> inbox) {
      return new Transport(TransportKind.LOCAL, () -> inbox.getObject().localSender());
    }
  }
}
