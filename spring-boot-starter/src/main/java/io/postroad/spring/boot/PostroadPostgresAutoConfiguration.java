package io.postroad.spring.boot;

import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.PostgresInboxStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.PostgresProcessStore;
import io.postroad.spring.SpringJdbcTransactions;
import io.postroad.store.CommandStore;
import io.postroad.store.InboxStore;
import io.postroad.store.OutboxStore;
import io.postroad.store.ProcessStore;
import io.postroad.store.Transactions;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;

/** Stores on the application's DataSource, in the transactions of its transaction manager. */
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
        manager(dataSource, managers), dataSource, store.transactions());
  }

  private static PlatformTransactionManager manager(
      DataSource dataSource, ObjectProvider<PlatformTransactionManager> managers) {
    @Nullable PlatformTransactionManager only = managers.getIfUnique();
    if (only != null) {
      return only;
    }
    List<PlatformTransactionManager> fitting =
        managers.stream()
            .filter(ResourceTransactionManager.class::isInstance)
            .filter(each -> ((ResourceTransactionManager) each).getResourceFactory() == dataSource)
            .toList();
    if (fitting.size() == 1) {
      return fitting.get(0);
    }
    throw new UnusableConfigurationException(
        "Postroad cannot tell whose transactions its messages are part of: there are %d transaction managers, and %d of them are known to be of the DataSource."
            .formatted(managers.stream().count(), fitting.size()),
        "Mark one transaction manager as @Primary, or declare the bean yourself:"
            + " @Bean Transactions<Connection> postroadTransactions(..) { return new"
            + " SpringJdbcTransactions(manager, dataSource); }");
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean(InboxStore.class)
  PostgresInboxStore postroadInboxStore(DataSource dataSource, PostgresOptions options) {
    return PostgresInboxStore.open(dataSource, options);
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean(CommandStore.class)
  PostgresCommandStore postroadCommandStore(DataSource dataSource, PostgresOptions options) {
    return PostgresCommandStore.open(dataSource, options);
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean(ProcessStore.class)
  PostgresProcessStore postroadProcessStore(DataSource dataSource, PostgresOptions options) {
    return PostgresProcessStore.open(dataSource, options);
  }

  @Bean
  @ConditionalOnMissingBean(RetryStores.class)
  RetryStores<Connection> postroadRetryStores(DataSource dataSource, PostgresOptions options) {
    return prefix ->
        PostgresOrderedStore.open(dataSource, options.withPrefix(options.prefix() + prefix));
  }

  /** Where Spring Boot knows the pool. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DataSourcePoolMetadataProvider.class)
  static class OfPool {

    @Bean
    PoolCheck postroadPoolCheck(
        DataSource dataSource,
        ObjectProvider<DataSourcePoolMetadataProvider> pools,
        ObjectProvider<CommandProperties> commands,
        ObjectProvider<InboxProperties> inbox) {
      return new PoolCheck(dataSource, pools, commands, inbox);
    }
  }
}
