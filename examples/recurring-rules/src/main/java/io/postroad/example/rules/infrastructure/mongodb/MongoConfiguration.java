package io.postroad.example.rules.infrastructure.mongodb;

import io.postroad.example.rules.application.RuleIds;
import io.postroad.example.rules.domain.RuleClock;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions;

/**
 * Configures the mapping and the ids of rules; the migrations run before other beans use the
 * database.
 */
@Configuration(proxyBeanMethods = false)
class MongoConfiguration {

  @Bean
  MongoCustomConversions mongoCustomConversions() {
    return UtcConversions.create();
  }

  /** Returns the migrations after they have run. */
  @Bean
  Migrations migrations(MongoDatabaseFactory factory) {
    Migrations migrations = new Migrations(factory.getMongoDatabase());
    migrations.run();
    return migrations;
  }

  @Bean
  RuleIds ruleIds(MongoDatabaseFactory factory, Migrations migrations) {
    return new SequenceIds(factory.getMongoDatabase());
  }

  @Bean
  @ConditionalOnMissingBean
  InstantSource instantSource() {
    return InstantSource.system();
  }

  @Bean
  RuleClock ruleClock(InstantSource source) {
    return new RuleClock(source);
  }
}
