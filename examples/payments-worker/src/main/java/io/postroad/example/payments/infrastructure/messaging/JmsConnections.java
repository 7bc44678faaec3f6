package io.postroad.example.payments.infrastructure.messaging;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.jms.JmsReceiver;
import io.postroad.jms.JmsReceiverOptions;
import jakarta.inject.Singleton;
import jakarta.jms.ConnectionFactory;
import java.sql.Connection;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * JMS connections to Artemis, unless the environment {@code ibmmq} or {@code kafka} is active.
 * Postroad creates connections to IBM MQ from {@code postroad.mq}.
 */
@Factory
@Requires(notEnv = "kafka")
final class JmsConnections {

  @Singleton
  @Requires(notEnv = "ibmmq")
  ConnectionFactory artemis(
      @Value("${artemis.url}") String url,
      @Value("${artemis.user}") String user,
      @Value("${artemis.password}") String password) {
    return new ActiveMQConnectionFactory(url, user, password);
  }

  /**
   * Replaces the receiver that the properties would create, because the consumers are spread over
   * the queues. {@code postroad.jms.receiver.enabled} decides whether it is created and started.
   */
  @Singleton
  @Bean(preDestroy = "close")
  JmsReceiver receiver(
      ConnectionFactory connections,
      Inbox<Connection> inbox,
      Handlers<Connection> handlers,
      @Value("${messaging.consumers.concurrency}") int concurrency) {
    return JmsReceiver.create(
        connections,
        JmsReceiverOptions.defaults()
            .withConcurrency(Math.max(1, concurrency / handlers.destinations().size())),
        inbox);
  }
}
