package io.postroad.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.postroad.command.CommandBus;
import io.postroad.framework.RetryLine;
import io.postroad.framework.RetryLineObserver;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.wiring.Transport;
import io.postroad.framework.internal.wiring.Transports;
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
import io.postroad.spring.boot.internal.settings.MetricsProperties;
import io.postroad.spring.boot.internal.settings.RelayProperties;
import io.postroad.trace.Tracing;
import java.util.List;
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
 * Makes meters and traces for an application that has {@code postroad-micrometer}. The meters are
 * observers, which the other parts call like all beans of these types.
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

  /** Makes the meters. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(MeterRegistry.class)
  @EnableConfigurationProperties(MetricsProperties.class)
  static class Meters {

    private static String name(Environment environment) {
      return environment.getProperty("spring.application.name", "postroad");
    }

    @Bean
    @ConditionalOnMissingBean
    OutboxMeters postroadOutboxMeters(
        MeterRegistry registry, MetricsProperties properties, Environment environment) {
      return OutboxMeters.of(registry, properties.outboxOr(name(environment)));
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
      return OutboxGauges.of(registry, properties.outboxOr(name(environment)), store);
    }

    /** Counts the retry line, an outbox of its own, under a name of its own. */
    @Bean
    @ConditionalOnBean(RetryLine.class)
    @ConditionalOnMissingBean(name = "postroadRetryMeters")
    RetryLineObserver postroadRetryMeters(
        MeterRegistry registry, MetricsProperties properties, Environment environment) {
      return OutboxMeters.of(registry, properties.retryLineOr(name(environment)))::on;
    }

    @Bean(destroyMethod = "close", defaultCandidate = false)
    @ConditionalOnBean(RetryLine.class)
    @ConditionalOnMissingBean(name = "postroadRetryGauges")
    OutboxGauges postroadRetryGauges(
        MeterRegistry registry,
        MetricsProperties properties,
        Environment environment,
        RetryLine<?> retries) {
      return OutboxGauges.of(registry, properties.retryLineOr(name(environment)), retries.store());
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
              Refusals.unlessFit(
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

  /** Traces messages from the commit to the handler. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(ObservationRegistry.class)
  @EnableConfigurationProperties(RelayProperties.class)
  static class Traces {

    /** Names the broker in traces, if there is only one that could be meant. */
    @Bean
    @ConditionalOnMissingBean
    Tracing postroadTracing(
        ObservationRegistry registry, RelayProperties relay, ObjectProvider<Transport> transports) {
      ObservedTracing tracing = ObservedTracing.of(registry);
      return new Transports(relay.transport(), transports.orderedStream().toList())
          .broker()
          .map(tracing::withSystem)
          .orElse(tracing);
    }
  }
}
