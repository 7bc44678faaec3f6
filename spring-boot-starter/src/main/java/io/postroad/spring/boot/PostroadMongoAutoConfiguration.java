package io.postroad.spring.boot;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import io.postroad.framework.RetryLine;
import io.postroad.framework.UnusableConfigurationException;
import io.postroad.framework.internal.settings.StoreOptions;
import io.postroad.inbox.Inbox;
import io.postroad.mongodb.MongoCommandStore;
import io.postroad.mongodb.MongoInboxStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.mongodb.MongoProcessStore;
import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spring.PatientMongoTransactionManager;
import io.postroad.spring.SpringMongoTransactions;
import io.postroad.spring.boot.internal.ConditionalOnInbox;
import io.postroad.spring.boot.internal.OnStore;
import io.postroad.spring.boot.internal.settings.InboxProperties;
import io.postroad.spring.boot.internal.settings.StoreProperties;
import io.postroad.transaction.Transactions;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.transaction.TransactionManager;

/** Makes the stores in the application's MongoDB, in the transactions of its manager. */
@AutoConfiguration(
    after = PostroadPostgresAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration",
      "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration"
    },
    beforeName = "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration")
@ConditionalOnClass({MongoOrderedStore.class, SpringMongoTransactions.class})
@ConditionalOnBean({MongoClient.class, MongoDatabaseFactory.class})
@Conditional(OnStore.Mongo.class)
@EnableConfigurationProperties(StoreProperties.class)
public final class PostroadMongoAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  MongoOptions postroadMongoOptions(StoreProperties store, MongoDatabaseFactory factory) {
    return StoreOptions.Mongo.of(
        store,
        store.database().isEmpty() ? factory.getMongoDatabase().getName() : store.database());
  }

  /**
   * Makes a manager, because Spring Boot makes none for MongoDB, and {@code @Transactional} does
   * nothing without. Beside a manager of another database it would change what
   * {@code @Transactional} means, so it is not made there.
   */
  @Bean
  @ConditionalOnMissingBean(TransactionManager.class)
  PatientMongoTransactionManager postroadMongoTransactionManager(
      MongoDatabaseFactory factory, StoreProperties store) {
    return new PatientMongoTransactionManager(factory, store.rerunFor());
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean(OutboxStore.class)
  MongoOrderedStore postroadOutboxStore(MongoClient client, MongoOptions options) {
    return MongoOrderedStore.open(client, options);
  }

  @Bean
  @ConditionalOnMissingBean(Transactions.class)
  SpringMongoTransactions postroadTransactions(
      ObjectProvider<MongoTransactionManager> managers, StoreProperties store) {
    @Nullable MongoTransactionManager manager = managers.getIfUnique();
    if (manager == null) {
      throw new UnusableConfigurationException(
          "Messages are to be stored in MongoDB, but transactions of this application are those of"
              + " another database: there is no MongoTransactionManager, or there are several.",
          "Declare one, @Bean PatientMongoTransactionManager mongoTransactions(MongoDatabaseFactory"
              + " factory), mark one manager as @Primary, and name the other where it is meant:"
              + " @Transactional(\"mongoTransactions\").");
    }
    return new SpringMongoTransactions(manager, store.rerunFor());
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean(InboxStore.class)
  MongoInboxStore postroadInboxStore(MongoClient client, MongoOptions options) {
    return MongoInboxStore.open(client, options);
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean(CommandStore.class)
  MongoCommandStore postroadCommandStore(MongoClient client, MongoOptions options) {
    return MongoCommandStore.open(client, options);
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean(ProcessStore.class)
  MongoProcessStore postroadProcessStore(MongoClient client, MongoOptions options) {
    return MongoProcessStore.open(client, options);
  }

  /** Makes the retry line, where failed messages wait. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnInbox
  @EnableConfigurationProperties(InboxProperties.class)
  static class OfInbox {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean({RetryLine.class, Inbox.class})
    RetryLine<ClientSession> postroadRetryLine(
        MongoClient client, MongoOptions options, InboxProperties inbox) {
      return new RetryLine<>(
          MongoOrderedStore.open(
              client, options.withPrefix(options.prefix() + inbox.retryPrefix())));
    }
  }
}
