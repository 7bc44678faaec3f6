package io.postroad.example.rules.infrastructure.cashflow;

import io.postroad.example.rules.infrastructure.mongodb.Migrations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;

/** Creates the cash flow service after the migrations, which create its unique index. */
@Configuration(proxyBeanMethods = false)
class CashFlowConfiguration {

  @Bean
  MongoCashFlow cashFlow(
      MongoDatabaseFactory factory, CashFlowAvailability availability, Migrations migrations) {
    return new MongoCashFlow(factory.getMongoDatabase(), availability);
  }
}
