package io.postroad.micronaut.internal.wiring;

import io.micrometer.observation.ObservationRegistry;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.postroad.micrometer.ObservedTracing;
import io.postroad.micronaut.internal.settings.RelayProperties;
import io.postroad.spi.OutboxStore;
import io.postroad.trace.Tracing;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Locale;

/** What is followed from the commit to the handler, where there is an observation registry. */
@Factory
@Requires(classes = {ObservedTracing.class, ObservationRegistry.class})
@Requires(beans = {ObservationRegistry.class, OutboxStore.class})
final class TracingFactory {

  /** Names the broker, where there is one only; a transport that is asked for is meant. */
  @Singleton
  @Secondary
  Tracing postroadTracing(
      ObservationRegistry registry, RelayProperties relay, List<Transport> transports) {
    List<RelayProperties.Transport> brokers =
        transports.stream()
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
