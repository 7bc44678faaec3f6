package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import io.postroad.layout.Layouts;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;

/** Configures Postroad with the team's own table; the starter does the rest. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OutboxPublisherProperties.class)
class OutboxConfiguration {

  /** Opens the store after Flyway has created the table. */
  @Bean(destroyMethod = "close")
  @DependsOnDatabaseInitialization
  PostgresCompetingStore outboxStore(
      DataSource dataSource, PostgresOptions options, OutboxPublisherProperties publisher) {
    return PostgresCompetingStore.open(
        dataSource, options, Layouts.paymentOutbox().withExecutions(publisher.maxRetries()));
  }

  @Bean
  NewTopic paymentApprovedTopic(@Value("${kafka.topics.payment-approved}") String topic) {
    return TopicBuilder.name(topic).partitions(3).build();
  }

  @Bean
  NewTopic deadLetterTopic(@Value("${outbox.dlq.topic}") String topic) {
    return TopicBuilder.name(topic).partitions(1).build();
  }
}
