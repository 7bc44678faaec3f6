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
import io.postroad.micronaut.MicronautJdbcTransactions;
import io.postroad.micronaut.UnusableConfigurationException;
import io.postroad.micronaut.internal.settings.OnStore;
import io.postroad.micronaut.internal.settings.Refused;
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

/** Stores on the application's DataSource, in the transactions of Micronaut Data. */
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
                    store.wakesOthers()
                        ? PostgresOptions.WakeUpMode.NOTIFY
                        : PostgresOptions.WakeUpMode.LOCAL));
  }

  @Singleton
  @Secondary
  @Bean(preDestroy = "close", typed = OutboxStore.class)
  PostgresOrderedStore postroadOutboxStore(PostgresOptions options) {
    return Refused.unlessThereIsNoSchema(() -> PostgresOrderedStore.open(dataSource(), options));
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

  /** Otherwise messages would be written in one database, in the transactions of another. */
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
    return Refused.unlessThereIsNoSchema(() -> PostgresInboxStore.open(dataSource(), options));
  }

  @Singleton
  @Secondary
  @Bean(typed = CommandStore.class)
  PostgresCommandStore postroadCommandStore(PostgresOptions options) {
    return Refused.unlessThereIsNoSchema(() -> PostgresCommandStore.open(dataSource(), options));
  }

  @Singleton
  @Secondary
  @Bean(typed = ProcessStore.class)
  PostgresProcessStore postroadProcessStore(PostgresOptions options) {
    return Refused.unlessThereIsNoSchema(() -> PostgresProcessStore.open(dataSource(), options));
  }

  @Singleton
  RetryStores<Connection> postroadRetryStores(PostgresOptions options) {
    return prefix ->
        Refused.unlessThereIsNoSchema(
            () ->
                PostgresOrderedStore.open(
                    dataSource(), options.withPrefix(options.prefix() + prefix)));
  }

  @Singleton
  Part postroadPoolCheck(PoolCheck pool) {
    return new Part(Part.Phase.CHECKS, "pool", pool::check, () -> {});
  }

  /** As it is behind Micronaut's transactions: Postroad's own work is not part of them. */
  private DataSource dataSource() {
    return DelegatingDataSource.unwrapDataSource(
        Named.bean(beans, Argument.of(DataSource.class), store.datasource()));
  }
}
