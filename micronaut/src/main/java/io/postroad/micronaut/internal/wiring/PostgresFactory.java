package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.jdbc.DataSourceTransactionManager;
import io.postroad.framework.UnusableConfigurationException;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.settings.StoreOptions;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.micronaut.MicronautJdbcTransactions;
import io.postroad.micronaut.internal.settings.OnStore;
import io.postroad.micronaut.internal.settings.StoreProperties;
import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.PostgresInboxStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.PostgresProcessStore;
import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.process.ProcessStore;
import io.postroad.transaction.Transactions;
import jakarta.inject.Singleton;
import java.sql.Connection;
import javax.sql.DataSource;

/** Makes the stores on the application's DataSource, in the transactions of Micronaut Data. */
@Factory
@Requires(classes = {PostgresOrderedStore.class, DelegatingDataSource.class})
@Requires(beans = DataSource.class)
@Requires(condition = OnStore.Postgres.class)
final class PostgresFactory {
  private final BeanContext beans;
  private final StoreProperties store;

  PostgresFactory(BeanContext beans, StoreProperties store) {
    this.beans = beans;
    this.store = store;
  }

  @Singleton
  @Secondary
  PostgresOptions postroadPostgresOptions() {
    return StoreOptions.Postgres.of(store);
  }

  @Singleton
  @Secondary
  @Bean(preDestroy = "close", typed = OutboxStore.class)
  PostgresOrderedStore postroadOutboxStore(PostgresOptions options) {
    return Refusals.explained(() -> PostgresOrderedStore.open(dataSource(), options));
  }

  @Singleton
  @Secondary
  @Bean(typed = Transactions.class)
  @SuppressWarnings("unchecked")
  MicronautJdbcTransactions postroadTransactions(OutboxStore<Connection> outbox) {
    TransactionOperations<Connection> operations =
        Named.bean(
            beans, Argument.of(TransactionOperations.class, Connection.class), store.datasource());
    requireSameDataSource(operations);
    ConnectionOperations<Connection> connections =
        Named.bean(
            beans, Argument.of(ConnectionOperations.class, Connection.class), store.datasource());
    return MicronautJdbcTransactions.of(operations, outbox.transactions(), connections);
  }

  /** Refuses to write messages in one database, in the transactions of another. */
  private void requireSameDataSource(TransactionOperations<Connection> operations) {
    if (operations instanceof DataSourceTransactionManager manager
        && manager.getDataSource() != dataSource()) {
      throw new UnusableConfigurationException(
          "The transactions of the application are on another DataSource than the one of Postroad"
              + " (%s), so no message could be part of them."
                  .formatted(store.datasource().isEmpty() ? "the primary one" : store.datasource()),
          "Name the DataSource whose transactions are meant with postroad.store.datasource, or"
              + " declare a bean of Transactions, such as new"
              + " MicronautJdbcTransactions(operations), and an OutboxStore on the same"
              + " DataSource.");
    }
  }

  @Singleton
  @Secondary
  @Bean(typed = InboxStore.class)
  PostgresInboxStore postroadInboxStore(PostgresOptions options) {
    return Refusals.explained(() -> PostgresInboxStore.open(dataSource(), options));
  }

  @Singleton
  @Secondary
  @Bean(typed = CommandStore.class)
  PostgresCommandStore postroadCommandStore(PostgresOptions options) {
    return Refusals.explained(() -> PostgresCommandStore.open(dataSource(), options));
  }

  @Singleton
  @Secondary
  @Bean(typed = ProcessStore.class)
  PostgresProcessStore postroadProcessStore(PostgresOptions options) {
    return Refusals.explained(() -> PostgresProcessStore.open(dataSource(), options));
  }

  @Singleton
  RetryStores<Connection> postroadRetryStores(PostgresOptions options) {
    return prefix ->
        Refusals.explained(
            () ->
                PostgresOrderedStore.open(
                    dataSource(), options.withPrefix(options.prefix() + prefix)));
  }

  @Singleton
  ConnectionBudget.Pool postroadPool(PoolCheck pool) {
    return pool::connections;
  }

  @Singleton
  Part postroadPoolCheck(PoolCheck pool, ConnectionBudget budget) {
    return new Part(Part.Phase.CHECKS, "pool", () -> pool.check(budget), () -> {});
  }

  /** Returns the target of Micronaut's proxy: Postroad's own work is not in its transactions. */
  private DataSource dataSource() {
    return DelegatingDataSource.unwrapDataSource(
        Named.bean(beans, Argument.of(DataSource.class), store.datasource()));
  }
}
