package io.postroad.micronaut;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import jakarta.jms.ConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** The connections of an application of tests to Artemis, as micronaut-jms has them. */
@Factory
@Requires(property = "test.jms")
final class JmsBeans {

  @Singleton
  ConnectionFactory connections(
      @Value("${test.jms.url:`tcp://localhost:1`}") String url,
      @Value("${test.jms.user:none}") String user,
      @Value("${test.jms.password:none}") String password) {
    return new ActiveMQConnectionFactory(url, user, password);
  }
}
