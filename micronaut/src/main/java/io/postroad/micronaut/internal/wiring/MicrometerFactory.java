package io.postroad.micronaut.internal.wiring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.context.annotation.Value;
import io.postroad.command.CommandBus;
import io.postroad.framework.RetryLine;
import io.postroad.framework.RetryLineObserver;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.micrometer.CommandMeters;
import io.postroad.micrometer.InFlightGauge;
import io.postroad.micrometer.InboxMeters;
import io.postroad.micrometer.OutboxGauges;
import io.postroad.micrometer.OutboxMeters;
import io.postroad.micrometer.ProcessMeters;
import io.postroad.micronaut.internal.settings.MetricsProperties;
import io.postroad.outbox.OutboxRelay;
import io.postroad.spi.OutboxStore;
import jakarta.inject.Singleton;

/**
 * Makes the meters of an application that has {@code postroad-micrometer} and a registry. They are
 * observers, which the other parts call like all beans of these types.
 */
@Factory
@Requires(classes = {OutboxMeters.class, MeterRegistry.class})
@Requires(beans = {MeterRegistry.class, OutboxStore.class})
final class MicrometerFactory {
  private final MetricsProperties properties;
  private final String outbox;
  private final String retryLine;

  MicrometerFactory(
      MetricsProperties properties, @Value("${micronaut.application.name:postroad}") String name) {
    this.properties = properties;
    this.outbox = properties.outboxOr(name);
    this.retryLine = properties.retryLineOr(name);
  }

  @Singleton
  @Secondary
  OutboxMeters postroadOutboxMeters(MeterRegistry registry) {
    return OutboxMeters.of(registry, outbox);
  }

  @Singleton
  @Secondary
  InboxMeters postroadInboxMeters(MeterRegistry registry) {
    return InboxMeters.of(registry);
  }

  @Singleton
  @Secondary
  CommandMeters postroadCommandMeters(MeterRegistry registry) {
    return CommandMeters.of(registry);
  }

  @Singleton
  @Secondary
  ProcessMeters postroadProcessMeters(MeterRegistry registry) {
    return ProcessMeters.of(registry);
  }

  @Singleton
  @Secondary
  @Bean(preDestroy = "close")
  OutboxGauges postroadOutboxGauges(MeterRegistry registry, OutboxStore<?> store) {
    return OutboxGauges.of(registry, outbox, store);
  }

  /** Registers all meters at the start, also those of parts that the application does not have. */
  @Singleton
  Part postroadMetersPart(
      OutboxGauges gauges,
      OutboxMeters outboxMeters,
      InboxMeters inboxMeters,
      CommandMeters commandMeters,
      ProcessMeters processMeters) {
    return new Part(Part.Phase.RELAY, "meters", () -> start(gauges), gauges::close);
  }

  /** Counts the retry line, an outbox of its own, under a name of its own. */
  @Singleton
  @Requires(beans = RetryLine.class)
  RetryLineObserver postroadRetryMeters(MeterRegistry registry) {
    return OutboxMeters.of(registry, retryLine)::on;
  }

  @Singleton
  @Requires(beans = RetryLine.class)
  Part postroadRetryGaugesPart(MeterRegistry registry, RetryLine<?> retries) {
    OutboxGauges gauges = OutboxGauges.of(registry, retryLine, retries.store());
    return new Part(
        Part.Phase.RELAY, "meters of the retry line", () -> start(gauges), gauges::close);
  }

  private void start(OutboxGauges gauges) {
    Refusals.unlessFit(
        "postroad.metrics",
        () -> {
          gauges.start(properties.lookEvery());
          return gauges;
        });
  }

  /** Registers the gauge at the start, although no other bean needs it. */
  @Singleton
  @Requires(beans = OutboxRelay.class)
  Part postroadRelayInFlight(MeterRegistry registry, OutboxRelay relay) {
    InFlightGauge gauge = InFlightGauge.of(registry, "relay", relay);
    return new Part(Part.Phase.RELAY, "relay in flight", () -> {}, gauge::close);
  }

  @Singleton
  @Requires(beans = CommandBus.class)
  Part postroadCommandsInFlight(MeterRegistry registry, CommandBus<?> bus) {
    InFlightGauge gauge = InFlightGauge.of(registry, "commands", bus);
    return new Part(Part.Phase.COMMANDS, "commands in flight", () -> {}, gauge::close);
  }
}
