package io.postroad.micronaut;

import io.micrometer.observation.ObservationRegistry;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.postroad.micrometer.ObservedTracing;
import io.postroad.store.OutboxStore;
import io.postroad.trace.Tracing;
import jakarta.inject.Singleton;

/** What is followed from the commit to the handler, where there is an observation registry. */
@Factory
@Requires(classes = {ObservedTracing.class, ObservationRegistry.class})
@Requires(beans = {ObservationRegistry.class, OutboxStore.class})
final class TracingFactory {

  @Singleton
  @Secondary
  Tracing postroadTracing(ObservationRegistry registry) {
    return ObservedTracing.of(registry);
  }
}
