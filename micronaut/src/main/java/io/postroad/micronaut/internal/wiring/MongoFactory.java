package io.postroad.micronaut.internal.wiring;

import com.mongodb.ConnectionString;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.context.env.Environment;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.framework.UnusableConfigurationException;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.settings.StoreOptions;
import io.postroad.micronaut.MicronautMongoTransactions;
import io.postroad.micronaut.internal.settings.OnStore;
import io.postroad.micronaut.internal.settings.StoreProperties;
import io.postroad.mongodb.MongoCommandStore;
import io.postroad.mongodb.MongoInboxStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.mongodb.MongoProcessStore;
import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.process.ProcessStore;
import io.postroad.transaction.Transactions;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Makes the stores in the application's MongoDB, in the transactions of Micronaut Data. */
@Factory
@Requires(classes = {MongoOrderedStore.class, MongoClient.class})
@Requires(beans = MongoClient.class)
@Requires(condition = OnStore.Mongo.class)
final class MongoFactory {
  private final BeanContext beans;
  private final StoreProperties store;
  private final Environment environment;

  MongoFactory(BeanContext beans, StoreProperties store, Environment environment) {
    this.beans = beans;
    this.store = store;
    this.environment = environment;
  }

  @Singleton
  @Secondary
  MongoOptions postroadMongoOptions() {
    return StoreOptions.Mongo.of(store, database());
  }

  private String database() {
    if (!store.database().isEmpty()) {
      return store.database();
    }
    String uri =
        store.datasource().isEmpty()
            ? "mongodb.uri"
            : "mongodb.servers.%s.uri".formatted(store.datasource());
    return environment
        .getProperty(uri, String.class)
        .flatMap(text -> Optional.ofNullable(new ConnectionString(text).getDatabase()))
        .orElseThrow(
            () ->
                new UnusableConfigurationException(
                    "It is open in which database of MongoDB messages are stored: %s has none."
                        .formatted(uri),
                    "Put it there, mongodb://host/database, or set postroad.store.database."));
  }

  @Singleton
  @Secondary
  @Bean(preDestroy = "close", typed = OutboxStore.class)
  MongoOrderedStore postroadOutboxStore(MongoOptions options) {
    return Refusals.explained(() -> MongoOrderedStore.open(client(), options));
  }

  @Singleton
  @Secondary
  @Bean(typed = Transactions.class)
  @SuppressWarnings("unchecked")
  MicronautMongoTransactions postroadTransactions() {
    TransactionOperations<ClientSession> operations =
        Named.bean(
            beans,
            Argument.of(TransactionOperations.class, ClientSession.class),
            store.datasource());
    ConnectionOperations<ClientSession> sessions =
        Named.bean(
            beans,
            Argument.of(ConnectionOperations.class, ClientSession.class),
            store.datasource());
    return new MicronautMongoTransactions(operations, store.rerunFor(), sessions);
  }

  @Singleton
  @Secondary
  @Bean(typed = InboxStore.class)
  MongoInboxStore postroadInboxStore(MongoOptions options) {
    return Refusals.explained(() -> MongoInboxStore.open(client(), options));
  }

  @Singleton
  @Secondary
  @Bean(typed = CommandStore.class)
  MongoCommandStore postroadCommandStore(MongoOptions options) {
    return Refusals.explained(() -> MongoCommandStore.open(client(), options));
  }

  @Singleton
  @Secondary
  @Bean(typed = ProcessStore.class)
  MongoProcessStore postroadProcessStore(MongoOptions options) {
    return Refusals.explained(() -> MongoProcessStore.open(client(), options));
  }

  @Singleton
  RetryStores<ClientSession> postroadRetryStores(MongoOptions options) {
    return prefix ->
        Refusals.explained(
            () -> MongoOrderedStore.open(client(), options.withPrefix(options.prefix() + prefix)));
  }

  private MongoClient client() {
    return Named.bean(beans, Argument.of(MongoClient.class), store.datasource());
  }
}
