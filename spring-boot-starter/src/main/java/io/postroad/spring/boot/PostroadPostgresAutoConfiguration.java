package io.postroad.spring.boot;

import io.postroad.framework.RetryLine;
import io.postroad.framework.internal.settings.StoreOptions;
import io.postroad.framework.internal.wiring.ConnectionBudget;
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
import io.postroad.spring.boot.internal.DataSourcePool;
import io.postroad.spring.boot.internal.ManagerOfDataSource;
import io.postroad.spring.boot.internal.OnStore;
import io.postroad.spring.boot.internal.settings.InboxProperties;
import io.postroad.spring.boot.internal.settings.StoreProperties;
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
 * Makes the stores on the application's DataSource, in the transactions of its transaction manager.
 * They are opened after its migrations, which may have created their tables.
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
    return StoreOptions.Postgres.of(store);
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

  /** Makes the retry line, where failed messages wait. */
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

  /** Makes the pool known, where Spring Boot knows its kind. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DataSourcePoolMetadataProvider.class)
  static class OfPool {

    @Bean
    ConnectionBudget.Pool postroadPool(
        DataSource dataSource,
        ObjectProvider<OutboxStore<?>> store,
        ObjectProvider<DataSourcePoolMetadataProvider> pools) {
      return new DataSourcePool(dataSource, store, pools);
    }
  }
}
