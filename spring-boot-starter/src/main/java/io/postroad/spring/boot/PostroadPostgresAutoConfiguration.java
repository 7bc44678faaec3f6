package io.postroad.spring.boot;

import io.postroad.inbox.Inbox;
import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.PostgresInboxStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.PostgresProcessStore;
import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spring.SpringJdbcTransactions;
import io.postroad.spring.boot.internal.ConditionalOnInbox;
import io.postroad.spring.boot.internal.ManagerOfDataSource;
import io.postroad.spring.boot.internal.OnStore;
import io.postroad.spring.boot.internal.Refused;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Stores on the application's DataSource, in the transactions of its transaction manager. They are
 * opened after its migrations have run, which may have made their tables.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
    })
@ConditionalOnClass({PostgresOrderedStore.class, SpringJdbcTransactions.class})
@ConditionalOnSingleCandidate(DataSource.class)
@Conditional(OnStore.Postgres.class)
@EnableConfigurationProperties(StoreProperties.class)
public final class PostroadPostgresAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  PostgresOptions postroadPostgresOptions(StoreProperties store) {
    return Refused.unlessFit(
        "postroad.store",
        () ->
            PostgresOptions.defaults()
                .withSchema(store.schema())
                .withPrefix(store.prefix())
                .withSchemaMode(store.schemaMode())
                .withLanes(store.lanes())
                .withStatementTimeout(store.operationTimeout())
                .withWakeUpMode(
                    store.remoteWakeUp()
                        ? PostgresOptions.WakeUpMode.NOTIFY
                        : PostgresOptions.WakeUpMode.LOCAL));
  }

  @Bean(destroyMethod = "close")
  @DependsOnDatabaseInitialization
  @ConditionalOnMissingBean(OutboxStore.class)
  PostgresOrderedStore postroadOutboxStore(DataSource dataSource, PostgresOptions options) {
    return PostgresOrderedStore.open(dataSource, options);
  }

  @Bean
  @ConditionalOnMissingBean(Transactions.class)
  SpringJdbcTransactions postroadTransactions(
      DataSource dataSource,
      OutboxStore<Connection> store,
      ObjectProvider<PlatformTransactionManager> managers) {
    return SpringJdbcTransactions.of(
        new ManagerOfDataSource(dataSource).among(managers), dataSource, store.transactions());
  }

  @Bean
  @Lazy
  @DependsOnDatabaseInitialization
  @ConditionalOnMissingBean(InboxStore.class)
  PostgresInboxStore postroadInboxStore(DataSource dataSource, PostgresOptions options) {
    return PostgresInboxStore.open(dataSource, options);
  }

  @Bean
  @Lazy
  @DependsOnDatabaseInitialization
  @ConditionalOnMissingBean(CommandStore.class)
  PostgresCommandStore postroadCommandStore(DataSource dataSource, PostgresOptions options) {
    return PostgresCommandStore.open(dataSource, options);
  }

  @Bean
  @Lazy
  @DependsOnDatabaseInitialization
  @ConditionalOnMissingBean(ProcessStore.class)
  PostgresProcessStore postroadProcessStore(DataSource dataSource, PostgresOptions options) {
    return PostgresProcessStore.open(dataSource, options);
  }

  /** Where messages wait that failed. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnInbox
  @EnableConfigurationProperties(InboxProperties.class)
  static class OfInbox {

    @Bean(destroyMethod = "close")
    @DependsOnDatabaseInitialization
    @ConditionalOnMissingBean({RetryLine.class, Inbox.class})
    RetryLine<Connection> postroadRetryLine(
        DataSource dataSource, PostgresOptions options, InboxProperties inbox) {
      return new RetryLine<>(
          PostgresOrderedStore.open(
              dataSource, options.withPrefix(options.prefix() + inbox.retryPrefix())));
    }
  }

  /** Where Spring Boot knows the pool. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DataSourcePoolMetadataProvider.class)
  static class OfPool {

    @Bean
    PoolSize postroadPoolSize(
        DataSource dataSource,
        ObjectProvider<OutboxStore<?>> store,
        ObjectProvider<DataSourcePoolMetadataProvider> pools) {
      return new DataSourcePoolSize(dataSource, store, pools);
    }
  }
}
