package io.postroad.spring.boot;

import io.postroad.admin.OutboxAdmin;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.framework.internal.wiring.Observers;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.spi.OutboxStore;
import io.postroad.spring.boot.internal.StoreCheck;
import io.postroad.spring.boot.internal.settings.OutboxProperties;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/** Makes the outbox over the application's store. */
@AutoConfiguration(
    after = {PostroadPostgresAutoConfiguration.class, PostroadMongoAutoConfiguration.class},
    afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnBean({OutboxStore.class, Transactions.class})
@EnableConfigurationProperties(OutboxProperties.class)
public final class PostroadOutboxAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(PostroadOutboxAutoConfiguration.class);

  @Bean
  static StoreCheck postroadStoreCheck(Environment environment) {
    return new StoreCheck(environment);
  }

  @Bean
  ConnectionBudget postroadConnectionBudget(
      ObjectProvider<ConnectionBudget.Pool> pool, ObjectProvider<ConnectionBudget.Part> parts) {
    return new ConnectionBudget(
        pool.getIfAvailable(() -> () -> null), () -> parts.stream().toList());
  }

  /** Warns if handlers could use up the connection pool. */
  @Bean
  SmartInitializingSingleton postroadPoolCheck(ConnectionBudget budget) {
    return () -> budget.warning().ifPresent(LOG::warn);
  }

  /** Uses the application's mapper and does not change it. */
  @Bean
  @ConditionalOnMissingBean
  JsonCodec postroadJsonCodec(ObjectProvider<JsonMapper> mappers) {
    @Nullable JsonMapper mapper = mappers.getIfUnique();
    return mapper == null ? JacksonJsonCodec.create() : JacksonJsonCodec.over(mapper);
  }

  @Bean
  @ConditionalOnMissingBean
  <T> Outbox<T> postroadOutbox(
      OutboxStore<T> store,
      Transactions<T> transactions,
      OutboxProperties properties,
      ObjectProvider<OutboxObserver> observers,
      ObjectProvider<Tracing> tracing) {
    return Outbox.over(
            store,
            transactions,
            Refusals.unlessFit("postroad.outbox", properties::options),
            Observers.ofOutbox(observers.orderedStream().toList()))
        .tracedBy(tracing.getIfAvailable(Tracing::none));
  }

  @Bean
  @ConditionalOnMissingBean
  OutboxAdmin postroadOutboxAdmin(OutboxStore<?> store) {
    return OutboxAdmin.over(store);
  }
}
