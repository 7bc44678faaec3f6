package io.postroad.example.market.app;

import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * Configures jOOQ 3.19, the last version for Java 17; Spring Boot's own configuration needs a later
 * one. It uses the connection of Spring's transaction, as the outbox does, so both write in the
 * same transaction.
 */
@Configuration(proxyBeanMethods = false)
class JooqConfiguration {

  @Bean
  DSLContext dslContext(DataSource dataSource) {
    return DSL.using(
        new DataSourceConnectionProvider(new TransactionAwareDataSourceProxy(dataSource)),
        SQLDialect.POSTGRES);
  }
}
