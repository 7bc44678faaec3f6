package io.postroad.spring.boot;

import io.postroad.admin.OutboxAdmin;
import io.postroad.framework.RetryLine;
import io.postroad.framework.internal.operate.PostroadHealth;
import io.postroad.outbox.OutboxRelay;
import io.postroad.spi.OutboxStore;
import io.postroad.spring.boot.internal.PostroadHealthIndicator;
import io.postroad.spring.boot.internal.settings.EndpointProperties;
import io.postroad.spring.boot.internal.settings.HealthProperties;
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

/** Adds health and the endpoint, where the application has an actuator. */
@AutoConfiguration(after = PostroadRelayAutoConfiguration.class)
@ConditionalOnBean(OutboxStore.class)
public final class PostroadActuatorAutoConfiguration {

  /** Adds {@code postroad} to {@code /actuator/health}. */
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
      return new PostroadHealthIndicator(
          new PostroadHealth(
              store,
              retries.stream().findFirst(),
              relay.stream().findFirst(),
              limits,
              startedByHand.getIfAvailable() != null));
    }
  }

  /** Adds {@code /actuator/postroad}. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  @ConditionalOnAvailableEndpoint(PostroadEndpoint.class)
  @EnableConfigurationProperties(EndpointProperties.class)
  static class OfEndpoint {

    @Bean
    @ConditionalOnMissingBean
    PostroadEndpoint postroadEndpoint(
        OutboxAdmin admin, ObjectProvider<RetryLine<?>> retries, EndpointProperties properties) {
      return new PostroadEndpoint(admin, retries.stream().findFirst(), properties.writesEnabled());
    }
  }
}
