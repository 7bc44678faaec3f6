package io.postroad.micronaut;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A tracer for tests: it makes spans of observations and carries them on as W3C's traceparent, as
 * the tracers of Micrometer do. Shared by services that have nothing else in common. Safe to use
 * from many threads.
 */
final class TracedSpans implements ObservationHandler<Observation.Context> {
  private static final long AT_MOST_NANOS = Duration.ofSeconds(90).toNanos();
  private static final String TRACEPARENT = "traceparent";

  /** A span that has ended; its parent is "" where it has none. */
  record Ended(String name, String trace, String id, String parent, Map<String, String> tags) {}

  private record Begun(String trace, String id, String parent) {}

  private final List<Ended> ended = new ArrayList<>();

  /** A registry as a service of its own has it. */
  ObservationRegistry newService() {
    ObservationRegistry registry = ObservationRegistry.create();
    registry.observationConfig().observationHandler(this);
    return registry;
  }

  @Override
  public boolean supportsContext(Observation.Context context) {
    return true;
  }

  @Override
  public void onStart(Observation.Context context) {
    Begun span = begun(context);
    context.put(Begun.class, span);
    if (context instanceof SenderContext<?> sending) {
      write(sending, "00-%s-%s-01".formatted(span.trace(), span.id()));
    }
  }

  private static Begun begun(Observation.Context context) {
    if (context instanceof ReceiverContext<?> receiving) {
      String[] parts = read(receiving).split("-", -1);
      if (parts.length == 4) {
        return new Begun(parts[1], newId(16), parts[2]);
      }
    }
    var parent = context.getParentObservation();
    Begun above = parent == null ? null : parent.getContextView().get(Begun.class);
    return above == null
        ? new Begun(newId(32), newId(16), "")
        : new Begun(above.trace(), newId(16), above.id());
  }

  private static String newId(int digits) {
    return UUID.randomUUID().toString().replace("-", "").substring(0, digits);
  }

  private static <C> String read(ReceiverContext<C> context) {
    C carrier = context.getCarrier();
    String text = carrier == null ? null : context.getGetter().get(carrier, TRACEPARENT);
    return text == null ? "" : text;
  }

  private static <C> void write(SenderContext<C> context, String text) {
    context.getSetter().set(context.getCarrier(), TRACEPARENT, text);
  }

  @Override
  public synchronized void onStop(Observation.Context context) {
    Begun span = context.getRequired(Begun.class);
    ended.add(
        new Ended(
            String.valueOf(context.getContextualName()),
            span.trace(),
            span.id(),
            span.parent(),
            context.getAllKeyValues().stream()
                .collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue))));
    notifyAll();
  }

  /** All spans, when those of all these names have ended; fails when they do not soon. */
  synchronized List<Ended> await(Collection<String> names) throws InterruptedException {
    long deadline = System.nanoTime() + AT_MOST_NANOS;
    while (!ended.stream().map(Ended::name).toList().containsAll(names)) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError("expected spans %s, got %s".formatted(names, ended));
      }
      wait(Math.max(1, left / 1_000_000));
    }
    return List.copyOf(ended);
  }
}
