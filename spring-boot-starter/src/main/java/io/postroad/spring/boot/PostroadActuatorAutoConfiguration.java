package io.postroad.spring.boot;

import io.postroad.admin.OutboxAdmin;
import io.postroad.outbox.OutboxRelay;
import io.postroad.spi.OutboxStore;
import io.postroad.spring.boot.internal.OutboxExam;
import io.postroad.spring.boot.internal.PostroadHealthIndicator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health, and the endpoint, where the application has an actuator. */
@AutoConfiguration(after = PostroadRelayAutoConfiguration.class)
@ConditionalOnBean(OutboxStore.class)
public final class PostroadActuatorAutoConfiguration {

  /** In {@code /actuator/health}. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
  @ConditionalOnEnabledHealthIndicator("postroad")
  @EnableConfigurationProperties(HealthProperties.class)
  static class OfHealth {

    @Bean
    @ConditionalOnMissingBean(name = "postroadHealthIndicator")
    HealthIndicator postroadHealthIndicator(
        OutboxStore<?> store,
        HealthProperties limits,
        ObjectProvider<RetryLine<?>> retries,
        ObjectProvider<OutboxRelay> relay,
        ObjectProvider<StartedByHand> startedByHand) {
      boolean byHand = startedByHand.getIfAvailable() != null;
      @Nullable RetryLine<?> line = retries.getIfAvailable();
      return new PostroadHealthIndicator(
          new OutboxExam(store, limits, byHand),
          line == null ? null : new OutboxExam(line.store(), limits, byHand),
          byHand ? null : relay.getIfAvailable());
    }
  }

  /** At {@code /actuator/postroad}. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  @ConditionalOnAvailableEndpoint(PostroadEndpoint.class)
  @EnableConfigurationProperties(EndpointProperties.class)
  static class OfEndpoint {

    @Bean
    @ConditionalOnMissingBean
    PostroadEndpoint postroadEndpoint(
        OutboxAdmin admin, ObjectProvider<RetryLine<?>> retries, EndpointProperties properties) {
      @Nullable RetryLine<?> line = retries.getIfAvailable();
      return new PostroadEndpoint(admin, line == null ? null : line.admin(), properties);
    }
  }
}
