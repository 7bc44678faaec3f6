package io.postroad.example.market.app.outbox;

import io.postroad.example.market.shared.outbox.OutboxPoller;
import io.postroad.example.market.shared.outbox.OutboxProperties;
import io.postroad.example.market.shared.outbox.OutboxPublisher;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.spi.OutboxStore;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;

/** Configures Postroad with the market's own table; the starter does the rest. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OutboxProperties.class)
public class OutboxConfiguration {

  /** Returns the layout of the market's table, with its settings. */
  public static Layout layout(OutboxProperties outbox) {
    return Layouts.advertMarket()
        .withExecutions(outbox.maxRetries())
        .withStrangersAfter(outbox.processingTtl())
        .withExclusive(outbox.exclusive());
  }

  /** Opens the store after Flyway has created the table. */
  @Bean(destroyMethod = "close")
  @DependsOnDatabaseInitialization
  PostgresCompetingStore outboxStore(
      DataSource dataSource, PostgresOptions options, OutboxProperties outbox) {
    return PostgresCompetingStore.open(dataSource, options, layout(outbox));
  }

  @Bean(destroyMethod = "close")
  OutboxPublisher outboxPublisher(KafkaSenderOptions options) {
    return new OutboxPublisher(KafkaSender.create(options));
  }

  @Bean
  OutboxPoller outboxPoller(OutboxStore<?> store) {
    return new OutboxPoller(store);
  }

  @Bean
  NewTopic dealTopic(@Value("${app.deals.topic}") String topic) {
    return TopicBuilder.name(topic).partitions(3).build();
  }
}
