package io.postroad.example.rules.infrastructure.outbox;

import com.mongodb.client.MongoClient;
import io.postroad.example.rules.infrastructure.mongodb.Migrations;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.layout.Layouts;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;

/** Configures Postroad with the team's own collection; the starter does the rest. */
@Configuration(proxyBeanMethods = false)
class OutboxConfiguration {

  /** Opens the store after the migrations, so that it sees the TTL index of the collection. */
  @Bean(destroyMethod = "close")
  MongoCompetingStore outboxStore(
      MongoClient client,
      MongoOptions options,
      Migrations migrations,
      @Value("${outbox.max-retries}") int maxRetries) {
    return MongoCompetingStore.open(
        client, options, Layouts.recurringRules().withExecutions(maxRetries));
  }

  /** Creates a Kafka sender that logs each sent event. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean(LoggingSender.class)
  LoggingSender loggingSender(KafkaSenderOptions options) {
    return new LoggingSender(KafkaSender.create(options));
  }

  @Bean
  NewTopic recurringRulesTopic(@Value("${recurring-rules.topic}") String topic) {
    return TopicBuilder.name(topic).partitions(3).build();
  }
}
