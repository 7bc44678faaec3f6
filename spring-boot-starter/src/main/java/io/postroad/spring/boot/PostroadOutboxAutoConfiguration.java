package io.postroad.spring.boot;

import io.postroad.admin.OutboxAdmin;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.spi.OutboxStore;
import io.postroad.spring.boot.internal.Observers;
import io.postroad.spring.boot.internal.Refused;
import io.postroad.spring.boot.internal.StoreCheck;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/** The outbox of the application's store. */
@AutoConfiguration(
    after = {PostroadPostgresAutoConfiguration.class, PostroadMongoAutoConfiguration.class},
    afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnBean({OutboxStore.class, Transactions.class})
@EnableConfigurationProperties(OutboxProperties.class)
public final class PostroadOutboxAutoConfiguration {

  @Bean
  static StoreCheck postroadStoreCheck(Environment environment) {
    return new StoreCheck(environment);
  }

  @Bean
  HandlerShare postroadHandlerShare(ListableBeanFactory beans, ObjectProvider<PoolSize> pools) {
    return new HandlerShare(
        beans,
        () -> {
          @Nullable PoolSize pool = pools.getIfAvailable();
          return pool == null ? null : pool.max();
        });
  }

  @Bean
  PoolCheck postroadPoolCheck(HandlerShare share) {
    return new PoolCheck(share);
  }

  /** Over the application's mapper, which stays as it is. */
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
            Refused.unlessFit("postroad.outbox", properties::options),
            Observers.ofOutbox(observers))
        .tracedBy(tracing.getIfAvailable(Tracing::none));
  }

  @Bean
  @ConditionalOnMissingBean
  OutboxAdmin postroadOutboxAdmin(OutboxStore<?> store) {
    return OutboxAdmin.over(store);
  }
}
