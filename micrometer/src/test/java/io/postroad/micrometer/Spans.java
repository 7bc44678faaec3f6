package io.postroad.micrometer;

import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** The spans that have ended, of services that have nothing in common but this. */
final class Spans implements SpanExporter {
  private static final long AT_MOST_NANOS = Duration.ofSeconds(90).toNanos();

  private final List<SpanData> ended = new ArrayList<>();

  /** A registry and a tracer as a service of its own has them. */
  ObservationRegistry newService() {
    SdkTracerProvider provider =
        SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(this)).build();
    Tracer otel = provider.get("test");
    OtelTracer tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {});
    OtelPropagator propagator =
        new OtelPropagator(
            ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
    ObservationRegistry registry = ObservationRegistry.create();
    registry
        .observationConfig()
        .observationHandler(
            new FirstMatchingCompositeObservationHandler(
                new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
                new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                new DefaultTracingObservationHandler(tracer)));
    return registry;
  }

  @Override
  public synchronized CompletableResultCode export(Collection<SpanData> spans) {
    ended.addAll(spans);
    notifyAll();
    return CompletableResultCode.ofSuccess();
  }

  /** All spans, when there are so many; fails when there are not soon. */
  synchronized List<SpanData> await(int count) throws InterruptedException {
    long deadline = System.nanoTime() + AT_MOST_NANOS;
    while (ended.size() < count) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError("expected %d spans, got:\n%s".formatted(count, drawn(ended)));
      }
      wait(Math.max(1, left / 1_000_000));
    }
    return List.copyOf(ended);
  }

  /** The only one of this name. */
  static SpanData named(List<SpanData> spans, String name) {
    List<SpanData> found = spans.stream().filter(span -> span.getName().equals(name)).toList();
    if (found.size() != 1) {
      throw new AssertionError(
          "expected one span '%s', got %d among:\n%s".formatted(name, found.size(), drawn(spans)));
    }
    return found.get(0);
  }

  static String drawn(List<SpanData> spans) {
    return spans.stream()
        .map(
            span ->
                "%s %s %s <- %s %s"
                    .formatted(
                        span.getTraceId(),
                        span.getKind(),
                        span.getName(),
                        spans.stream()
                            .filter(other -> other.getSpanId().equals(span.getParentSpanId()))
                            .map(SpanData::getName)
                            .findFirst()
                            .orElse("nobody"),
                        span.getAttributes().asMap()))
        .collect(Collectors.joining("\n"));
  }

  @Override
  public CompletableResultCode flush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return CompletableResultCode.ofSuccess();
  }
}
