package io.postroad.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.DomainCommand;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Incoming;
import io.postroad.inbox.PermanentFailure;
import io.postroad.message.Message;
import io.postroad.message.TraceContext;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxWorkers;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.spi.CompetingStore;
import io.postroad.trace.Tracing;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Between two services with databases and tracers of their own, over each transport. */
@Timeout(180)
class TraceTest {
  private static final String TRACEPARENT =
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final Spans spans = new Spans();

  record ReserveCommand(String businessKey) implements DomainCommand {}

  record PayCommand(String businessKey) implements DomainCommand {}

  record NotifyCommand(String businessKey) implements DomainCommand {}

  /** The second step is done by the other service. */
  private static final class Order implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return "Order";
    }

    @Override
    public ProcessGraph defineProcess() {
      return process()
          .startWith(ReserveCommand.class)
          .then(PayCommand.class)
          .then(NotifyCommand.class)
          .end();
    }
  }

  /** The asking service handles the rest, and events of the other one. */
  private TracedService asking(Transport transport, String queue, String replies, String events) {
    return new TracedService(
        spans,
        transport,
        outbox -> handlersHere(),
        bus -> bus.send("Pay", queue).replyTo(replies).owner("asking"),
        Map.of(),
        Handlers.<Connection>builder().onAny(events, "events", (message, context) -> {}),
        new Order());
  }

  private static AutoCommandHandlerRegistry<Connection> handlersHere() {
    return AutoCommandHandlerRegistry.<Connection>builder(TracedService.CODEC)
        .on(ReserveCommand.class, (command, context) -> Map.of())
        .on(NotifyCommand.class, (command, context) -> Map.of())
        .build();
  }

  /** The doing service pays, and publishes an event. */
  private TracedService doing(Transport transport, String queue, String events) {
    return new TracedService(
        spans,
        transport,
        outbox -> paying(outbox, events),
        bus -> bus,
        Map.of("Pay", queue),
        Handlers.builder());
  }

  private static AutoCommandHandlerRegistry<Connection> paying(
      Outbox<Connection> outbox, String events) {
    return AutoCommandHandlerRegistry.<Connection>builder(TracedService.CODEC)
        .on(
            PayCommand.class,
            (command, context) -> {
              Message paid =
                  Message.event("Paid").to(events).key(command.businessKey()).json("{}").build();
              outbox.append(context.transaction(), paid);
              return Map.of();
            })
        .build();
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aCommandItsReplyAndItsEventsAreOneTrace(Transport transport) throws Exception {
    String queue = transport.newDestination();
    String replies = transport.newDestination();
    String events = transport.newDestination();
    try (TracedService asking = asking(transport, queue, replies, events);
        TracedService doing = doing(transport, queue, events)) {
      asking.start(doing);
      doing.start(asking);

      CommandReply reply =
          Observation.createNotStarted("checkout", asking.observations())
              .observeChecked(
                  () ->
                      asking
                          .manager()
                          .bus()
                          .submit(
                              CommandRequest.of(
                                  "Pay", "key-1", "order-1", "{\"businessKey\":\"order-1\"}"))
                          .get(120, TimeUnit.SECONDS));
      assertThat(reply).isInstanceOf(CommandReply.Completed.class);

      List<SpanData> all = spans.await(11);
      assertThat(all).as(() -> Spans.drawn(all)).hasSize(11);
      assertOneTrace(all);
      assertSpan(all, "create " + queue, SpanKind.PRODUCER, "checkout");
      assertSpan(all, "send " + queue, SpanKind.PRODUCER, "create " + queue);
      assertSpan(all, "process " + queue, SpanKind.CONSUMER, "create " + queue);
      assertSpan(all, "process Pay", SpanKind.CONSUMER, "create " + queue);
      assertSpan(all, "create " + events, SpanKind.PRODUCER, "process Pay");
      assertSpan(all, "send " + events, SpanKind.PRODUCER, "create " + events);
      assertSpan(all, "process " + events, SpanKind.CONSUMER, "create " + events);
      assertSpan(all, "create " + replies, SpanKind.PRODUCER, "process Pay");
      assertSpan(all, "send " + replies, SpanKind.PRODUCER, "create " + replies);
      assertSpan(all, "process " + replies, SpanKind.CONSUMER, "create " + replies);
      assertThat(Spans.named(all, "send " + queue).getAttributes().asMap())
          .containsEntry(AttributeKey.stringKey("messaging.system"), transport.system())
          .containsEntry(AttributeKey.stringKey("messaging.operation.name"), "send")
          .containsEntry(AttributeKey.stringKey("messaging.operation.type"), "send")
          .containsEntry(AttributeKey.stringKey("messaging.destination.name"), queue)
          .containsEntry(AttributeKey.stringKey("postroad.message.type"), "Pay")
          .containsKey(AttributeKey.stringKey("messaging.message.id"));
    }
  }

  /** The process, its local steps and the one in the other service. */
  @ParameterizedTest
  @EnumSource(Transport.class)
  void aProcessIsOneTraceFromItsStartToItsLastStep(Transport transport) throws Exception {
    String queue = transport.newDestination();
    String replies = transport.newDestination();
    String events = transport.newDestination();
    try (TracedService asking = asking(transport, queue, replies, events);
        TracedService doing = doing(transport, queue, events)) {
      asking.start(doing);
      doing.start(asking);

      UUID id =
          Observation.createNotStarted("checkout", asking.observations())
              .observe(() -> asking.manager().startProcess("Order", "order-1", Map.of()));
      assertThat(id).isNotNull();

      List<SpanData> all = spans.await(18);
      assertThat(all).as(() -> Spans.drawn(all)).hasSize(18);
      assertOneTrace(all);
      assertThat(parentOf(all, step(all, "Reserve"))).isEqualTo("checkout");
      assertThat(parentOf(all, Spans.named(all, "create Reserve"))).isEqualTo("step Order");
      assertSpan(all, "process Reserve", SpanKind.CONSUMER, "create Reserve");
      assertThat(parentOf(all, step(all, "Pay"))).isEqualTo("process Reserve");
      assertSpan(all, "process Pay", SpanKind.CONSUMER, "create " + queue);
      assertSpan(all, "create " + replies, SpanKind.PRODUCER, "process Pay");
      assertSpan(all, "process " + replies, SpanKind.CONSUMER, "create " + replies);
      assertThat(parentOf(all, step(all, "Notify"))).isEqualTo("process " + replies);
      assertSpan(all, "process Notify", SpanKind.CONSUMER, "create Notify");
      assertThat(step(all, "Notify").getAttributes().asMap())
          .containsEntry(AttributeKey.stringKey("postroad.process.type"), "Order")
          .containsEntry(AttributeKey.stringKey("postroad.process.id"), id.toString());
    }
  }

  private static SpanData step(List<SpanData> all, String name) {
    return all.stream()
        .filter(
            span ->
                name.equals(
                    span.getAttributes().get(AttributeKey.stringKey("postroad.process.step"))))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no step " + name + " in\n" + Spans.drawn(all)));
  }

  private static void assertOneTrace(List<SpanData> all) {
    assertThat(all.stream().map(SpanData::getTraceId).distinct())
        .as(() -> Spans.drawn(all))
        .hasSize(1);
  }

  private static void assertSpan(
      List<SpanData> all, String name, SpanKind kind, String parentName) {
    SpanData span = Spans.named(all, name);
    assertThat(span.getKind()).as(name).isEqualTo(kind);
    assertThat(parentOf(all, span))
        .as("parent of '%s'\n%s", name, Spans.drawn(all))
        .isEqualTo(parentName);
  }

  private static String parentOf(List<SpanData> all, SpanData span) {
    return all.stream()
        .filter(other -> other.getSpanId().equals(span.getParentSpanId()))
        .map(SpanData::getName)
        .findFirst()
        .orElse("nobody");
  }

  @Test
  void aMessageThatIsAppendedWithAContextKeepsIt() throws Exception {
    try (TracedService service = doing(Transport.NONE, "queue", "events")) {
      Message traced =
          Message.event("Paid").to("events").trace(TraceContext.of(TRACEPARENT)).json("{}").build();
      append(service, traced);

      assertThat(stored(service, traced).trace()).contains(TraceContext.of(TRACEPARENT));
      append(service, Message.event("Paid").to("others").json("{}").build());
      assertThat(spans.await(1)).extracting(SpanData::getName).containsExactly("create others");
    }
  }

  /** A context that no tracer wrote must not keep a message from being handled. */
  @Test
  void aContextThatCannotBeReadIsNone() throws Exception {
    try (TracedService service = doing(Transport.NONE, "queue", "events")) {
      Message odd =
          Message.event("Paid").to("events").header("traceparent", "odd").json("{}").build();
      append(service, odd);

      SpanData created = spans.await(1).get(0);
      assertThat(stored(service, odd).trace().orElseThrow().traceparent())
          .contains(created.getTraceId(), created.getSpanId());
    }
  }

  @Test
  void aMessageWithoutRoomForATraceIsAppendedAsItIs() throws Exception {
    try (TracedService service = doing(Transport.NONE, "queue", "events")) {
      Message.Builder full = Message.event("Paid").to("events").json("{}");
      for (int i = 0; i < 64; i++) {
        full.header("h" + i, "v");
      }
      Message message = full.build();
      append(service, message);

      assertThat(stored(service, message)).isEqualTo(message);
    }
  }

  @Test
  void aHandlerThatFailsFailsItsSpanAndItsRetryIsInTheSameTrace() throws Exception {
    Handlers.Builder<Connection> poison =
        Handlers.<Connection>builder()
            .onAny(
                "orders",
                "poison",
                (message, context) -> {
                  throw new PermanentFailure("no such order");
                });
    try (TracedService service =
        new TracedService(
            spans, Transport.NONE, outbox -> handlersHere(), bus -> bus, Map.of(), poison)) {
      Message message =
          Message.event("OrderPlaced")
              .to("orders")
              .key("a")
              .trace(TraceContext.of(TRACEPARENT))
              .json("{}")
              .build();
      assertThat(service.inbox().receive(Incoming.of(message), () -> false)).isTrue();
      service.inbox().runOnce();

      List<SpanData> all = spans.await(2);
      assertThat(all)
          .allSatisfy(
              span -> {
                assertThat(span.getName()).isEqualTo("process orders");
                assertThat(span.getTraceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
                assertThat(span.getParentSpanId()).isEqualTo("b7ad6b7169203331");
                assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
              });
    }
  }

  /**
   * No broker and no inbox: the worker's run goes on from the creation, and what it appends too.
   */
  @Test
  void aWorkerGoesOnFromTheCreation() throws Exception {
    Tracing tracing = ObservedTracing.of(spans.newService());
    try (PostgresDatabase database = new PostgresDatabase("workers");
        CompetingStore<Connection> queue = database.queue()) {
      Outbox<Connection> outbox = Outbox.over(queue).tracedBy(tracing);
      Handlers<Connection> handlers =
          Handlers.<Connection>builder()
              .onAny(
                  "pages",
                  "render",
                  (message, context) ->
                      outbox.append(
                          context.transaction(),
                          Message.event("Rendered").to("search").json("{}").build()))
              .build();
      OutboxWorkers<Connection> workers =
          OutboxWorkers.builder(queue, handlers.work()).tracing(tracing).build();
      queue
          .transactions()
          .run(
              transaction ->
                  outbox.append(
                      transaction, Message.event("Saved").to("pages").json("{}").build()));
      assertThat(workers.runOnce().delivered()).isEqualTo(1);

      List<SpanData> all = spans.await(3);
      assertOneTrace(all);
      assertSpan(all, "process pages", SpanKind.CONSUMER, "create pages");
      assertSpan(all, "create search", SpanKind.PRODUCER, "process pages");
    }
  }

  private static void append(TracedService service, Message message) {
    service
        .database()
        .outbox()
        .transactions()
        .run(transaction -> service.outbox().append(transaction, message));
  }

  private static Message stored(TracedService service, Message message) {
    return Optional.of(message.id())
        .flatMap(service.database().outbox()::find)
        .orElseThrow()
        .message();
  }
}
