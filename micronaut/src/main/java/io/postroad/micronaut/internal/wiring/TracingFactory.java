package io.postroad.micronaut.internal.wiring;

import io.micrometer.observation.ObservationRegistry;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.postroad.framework.internal.wiring.Transport;
import io.postroad.framework.internal.wiring.Transports;
import io.postroad.micrometer.ObservedTracing;
import io.postroad.micronaut.internal.settings.RelayProperties;
import io.postroad.spi.OutboxStore;
import io.postroad.trace.Tracing;
import jakarta.inject.Singleton;
import java.util.List;

/** Traces messages from the commit to the handler, where there is an observation registry. */
@Factory
@Requires(classes = {ObservedTracing.class, ObservationRegistry.class})
@Requires(beans = {ObservationRegistry.class, OutboxStore.class})
final class TracingFactory {

  /** Names the broker in traces, if there is only one that could be meant. */
  @Singleton
  @Secondary
  Tracing postroadTracing(
      ObservationRegistry registry, RelayProperties relay, List<Transport> transports) {
    ObservedTracing tracing = ObservedTracing.of(registry);
    return new Transports(relay.transport(), transports)
        .broker()
        .map(tracing::withSystem)
        .orElse(tracing);
  }
}
