package io.postroad.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.postroad.command.CommandBus;
import io.postroad.micrometer.CommandMeters;
import io.postroad.micrometer.InFlightGauge;
import io.postroad.micrometer.InboxMeters;
import io.postroad.micrometer.ObservedTracing;
import io.postroad.micrometer.OutboxGauges;
import io.postroad.micrometer.OutboxMeters;
import io.postroad.micrometer.ProcessMeters;
import io.postroad.outbox.OutboxRelay;
import io.postroad.spi.OutboxStore;
import io.postroad.spring.boot.internal.PartLifecycle;
import io.postroad.spring.boot.internal.Refused;
import io.postroad.spring.boot.internal.Transport;
import io.postroad.trace.Tracing;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Meters and traces for an application that has {@code postroad-micrometer}: the meters are
 * observers, which the other parts hear of as of all such beans.
 */
@AutoConfiguration(
    after = {PostroadCommandAutoConfiguration.class, PostroadRelayAutoConfiguration.class},
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@ConditionalOnClass(OutboxMeters.class)
@ConditionalOnBean(OutboxStore.class)
public final class PostroadMicrometerAutoConfiguration {

  /** What is counted. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(MeterRegistry.class)
  @EnableConfigurationProperties(MetricsProperties.class)
  static class Meters {

    @Bean
    @ConditionalOnMissingBean
    OutboxMeters postroadOutboxMeters(
        MeterRegistry registry, MetricsProperties properties, Environment environment) {
      return OutboxMeters.of(registry, properties.outboxOr(environment));
    }

    @Bean
    @ConditionalOnMissingBean
    InboxMeters postroadInboxMeters(MeterRegistry registry) {
      return InboxMeters.of(registry);
    }

    @Bean
    @ConditionalOnMissingBean
    CommandMeters postroadCommandMeters(MeterRegistry registry) {
      return CommandMeters.of(registry);
    }

    @Bean
    @ConditionalOnMissingBean
    ProcessMeters postroadProcessMeters(MeterRegistry registry) {
      return ProcessMeters.of(registry);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    OutboxGauges postroadOutboxGauges(
        MeterRegistry registry,
        MetricsProperties properties,
        Environment environment,
        OutboxStore<?> store) {
      return OutboxGauges.of(registry, properties.outboxOr(environment), store);
    }

    /** The retry line is an outbox of its own, with meters of its own. */
    @Bean
    @ConditionalOnBean(RetryLine.class)
    @ConditionalOnMissingBean(name = "postroadRetryMeters")
    RetryLineObserver postroadRetryMeters(
        MeterRegistry registry, MetricsProperties properties, Environment environment) {
      return OutboxMeters.of(registry, properties.retriesOr(environment))::on;
    }

    @Bean(destroyMethod = "close", defaultCandidate = false)
    @ConditionalOnBean(RetryLine.class)
    @ConditionalOnMissingBean(name = "postroadRetryGauges")
    OutboxGauges postroadRetryGauges(
        MeterRegistry registry,
        MetricsProperties properties,
        Environment environment,
        RetryLine<?> retries) {
      return OutboxGauges.of(registry, properties.retriesOr(environment), retries.store());
    }

    @Bean
    PartLifecycle postroadGaugesLifecycle(
        OutboxGauges gauges,
        @Qualifier("postroadRetryGauges") ObjectProvider<OutboxGauges> retryGauges,
        MetricsProperties properties,
        ObjectProvider<StartedByHand> startedByHand) {
      List<OutboxGauges> all = Stream.concat(Stream.of(gauges), retryGauges.stream()).toList();
      return new PartLifecycle(
          PartLifecycle.RELAY,
          () ->
              Refused.unlessFit(
                  "postroad.metrics",
                  () -> {
                    all.forEach(each -> each.start(properties.lookEvery()));
                    return all;
                  }),
          () -> all.forEach(OutboxGauges::close),
          startedByHand);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnBean(OutboxRelay.class)
    InFlightGauge postroadRelayInFlight(MeterRegistry registry, OutboxRelay relay) {
      return InFlightGauge.of(registry, "relay", relay);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnBean(CommandBus.class)
    InFlightGauge postroadCommandsInFlight(MeterRegistry registry, CommandBus<?> bus) {
      return InFlightGauge.of(registry, "commands", bus);
    }
  }

  /** What is followed from the commit to the handler. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(ObservationRegistry.class)
  @EnableConfigurationProperties(RelayProperties.class)
  static class Traces {

    /** Names the broker, where there is one only; a transport that is asked for is meant. */
    @Bean
    @ConditionalOnMissingBean
    Tracing postroadTracing(
        ObservationRegistry registry, RelayProperties relay, ObjectProvider<Transport> transports) {
      List<RelayProperties.Transport> brokers =
          transports
              .orderedStream()
              .map(Transport::kind)
              .filter(kind -> kind != RelayProperties.Transport.LOCAL)
              .filter(
                  kind ->
                      relay.transport() == RelayProperties.Transport.AUTO
                          || relay.transport() == kind)
              .toList();
      ObservedTracing tracing = ObservedTracing.of(registry);
      return brokers.size() == 1
          ? tracing.withSystem(brokers.get(0).name().toLowerCase(Locale.ROOT))
          : tracing;
    }
  }
}
