package io.postroad.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.postroad.message.TraceContext;
import io.postroad.trace.Operation;
import io.postroad.trace.Operation.Verb;
import io.postroad.trace.Span;
import io.postroad.trace.Tracing;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns operations into observations of Micrometer: with a tracer in the registry they are spans of
 * one trace from commit to handler, across relay and broker; with a meter registry they are timers.
 *
 * <pre>{@code
 * Tracing tracing = ObservedTracing.of(observationRegistry).withSystem("kafka");
 * Outbox<Connection> outbox = Outbox.over(store).tracedBy(tracing);
 * OutboxRelay relay = OutboxRelay.builder(store, sender).tracing(tracing).build();
 * Inbox<Connection> inbox = Inbox.builder(inboxStore, handlers).tracing(tracing).build();
 * }</pre>
 *
 * <p>The creation of a message is a child of the observation that the thread is in. Sending and
 * handling are children of the creation: the headers of the message or command have its W3C
 * context; so a trace has one id, and a message that is sent or handled twice has two spans beside
 * each other. The tracer must write {@code traceparent}, which is the default of Micrometer Tracing
 * with OpenTelemetry; with another format nothing is stored.
 *
 * <p>Immutable and safe to use from many threads. A registry that does nothing costs nothing.
 */
public final class ObservedTracing implements Tracing {
  private final ObservationRegistry registry;
  private final String system;
  private final Map<Verb, OperationConvention> conventions;

  private ObservedTracing(
      ObservationRegistry registry, String system, Map<Verb, OperationConvention> conventions) {
    this.registry = registry;
    this.system = system;
    this.conventions = conventions;
  }

  /** Observes with this registry. */
  public static ObservedTracing of(ObservationRegistry registry) {
    return new ObservedTracing(registry, OtelMessaging.NO_BROKER, Map.of());
  }

  /** Names the broker of the messages, for example {@code kafka} or {@code jms}. */
  public ObservedTracing withSystem(String newSystem) {
    return new ObservedTracing(registry, newSystem, conventions);
  }

  /** Uses a convention for its verb, in place of the one that the registry has. */
  public ObservedTracing withConvention(OperationConvention convention) {
    Map<Verb, OperationConvention> more = new EnumMap<>(Verb.class);
    more.putAll(conventions);
    more.put(convention.verb(), convention);
    return new ObservedTracing(registry, system, more);
  }

  @Override
  public boolean isOn() {
    return !registry.isNoop();
  }

  @Override
  public Span start(Operation operation) {
    Map<String, String> carrier = new HashMap<>();
    operation.from().ifPresent(from -> carrier.putAll(from.headers()));
    Observation.Context context = context(operation, carrier);
    Observation observation =
        Observation.createNotStarted(
                conventions.get(operation.verb()),
                new OperationConvention(operation.verb()),
                () -> context,
                registry)
            .start();
    return new ObservedSpan(observation, carrier);
  }

  private Observation.Context context(Operation operation, Map<String, String> carrier) {
    return switch (operation.verb()) {
      case CREATE -> new Created(operation, system, carrier);
      case SEND -> new Followed(operation, system, Kind.PRODUCER, carrier);
      case PROCESS -> new Followed(operation, system, Kind.CONSUMER, carrier);
      case STEP -> new Stepped(operation, system);
    };
  }

  private record ObservedSpan(Observation observation, Map<String, String> carrier)
      implements Span {
    @Override
    public Optional<TraceContext> context() {
      return TraceContext.in(carrier);
    }

    @Override
    public Scope open() {
      Observation.Scope scope = observation.openScope();
      return scope::close;
    }

    @Override
    public void failed(Throwable failure) {
      observation.error(failure);
    }

    @Override
    public void end() {
      observation.stop();
    }
  }

  /** Writes the trace context into the carrier. */
  private static final class Created extends SenderContext<Map<String, String>>
      implements OperationContext {
    private final Operation operation;
    private final String system;

    Created(Operation operation, String system, Map<String, String> carrier) {
      super((headers, name, value) -> write(headers, name, value), Kind.PRODUCER);
      this.operation = operation;
      this.system = system;
      setCarrier(carrier);
    }

    private static void write(@Nullable Map<String, String> headers, String name, String value) {
      if (headers != null) {
        headers.put(name, value);
      }
    }

    @Override
    public Operation operation() {
      return operation;
    }

    @Override
    public String system() {
      return system;
    }
  }

  /** Continues the trace of the carrier; a send, too, because another thread created it. */
  private static final class Followed extends ReceiverContext<Map<String, String>>
      implements OperationContext {
    private final Operation operation;
    private final String system;

    Followed(Operation operation, String system, Kind kind, Map<String, String> carrier) {
      super((headers, name) -> headers.get(name), kind);
      this.operation = operation;
      this.system = system;
      setCarrier(carrier);
    }

    @Override
    public Operation operation() {
      return operation;
    }

    @Override
    public String system() {
      return system;
    }
  }

  private static final class Stepped extends Observation.Context implements OperationContext {
    private final Operation operation;
    private final String system;

    Stepped(Operation operation, String system) {
      this.operation = operation;
      this.system = system;
    }

    @Override
    public Operation operation() {
      return operation;
    }

    @Override
    public String system() {
      return system;
    }
  }
}
