package io.postroad.micronaut.internal.wiring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.context.annotation.Value;
import io.postroad.command.CommandBus;
import io.postroad.micrometer.CommandMeters;
import io.postroad.micrometer.InFlightGauge;
import io.postroad.micrometer.InboxMeters;
import io.postroad.micrometer.OutboxGauges;
import io.postroad.micrometer.OutboxMeters;
import io.postroad.micrometer.ProcessMeters;
import io.postroad.micronaut.RetryLineObserver;
import io.postroad.micronaut.internal.settings.MetricsProperties;
import io.postroad.micronaut.internal.settings.Refused;
import io.postroad.outbox.OutboxRelay;
import io.postroad.spi.OutboxStore;
import jakarta.inject.Singleton;

/**
 * Meters for an application that has {@code postroad-micrometer} and a registry: they are
 * observers, which the other parts hear of as of all such beans.
 */
@Factory
@Requires(classes = {OutboxMeters.class, MeterRegistry.class})
@Requires(beans = {MeterRegistry.class, OutboxStore.class})
final class MicrometerFactory {
  private final MetricsProperties properties;
  private final String outbox;

  MicrometerFactory(
      MetricsProperties properties, @Value("${micronaut.application.name:postroad}") String name) {
    this.properties = properties;
    this.outbox = properties.outboxOr(name);
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

  /** All meters are there from the start, also those of parts that the application has not. */
  @Singleton
  Part postroadMetersPart(
      OutboxGauges gauges,
      OutboxMeters outboxMeters,
      InboxMeters inboxMeters,
      CommandMeters commandMeters,
      ProcessMeters processMeters) {
    return new Part(Part.Phase.RELAY, "meters", () -> start(gauges), gauges::close);
  }

  /** The retry line is an outbox of its own, with meters of its own. */
  @Singleton
  @Requires(beans = RetryLine.class)
  RetryLineObserver postroadRetryMeters(MeterRegistry registry) {
    return OutboxMeters.of(registry, retryLine())::on;
  }

  @Singleton
  @Requires(beans = RetryLine.class)
  Part postroadRetryGaugesPart(MeterRegistry registry, RetryLine<?> retries) {
    OutboxGauges gauges = OutboxGauges.of(registry, retryLine(), retries.store());
    return new Part(
        Part.Phase.RELAY, "meters of the retry line", () -> start(gauges), gauges::close);
  }

  private String retryLine() {
    return outbox + "-retry";
  }

  private void start(OutboxGauges gauges) {
    Refused.unlessFit(
        "postroad.metrics",
        () -> {
          gauges.start(properties.lookEvery());
          return gauges;
        });
  }

  /** What is in flight is looked at from the start on, whoever else asks for the meter. */
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
