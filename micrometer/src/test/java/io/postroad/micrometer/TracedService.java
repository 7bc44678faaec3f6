package io.postroad.micrometer;

import io.micrometer.observation.ObservationRegistry;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandOptions;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.trace.Tracing;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A service with a PostgreSQL database, a tracer and all the parts of its own. */
final class TracedService implements AutoCloseable {
  static final JsonCodec CODEC = JacksonJsonCodec.create();
  private static final Duration SOON = Duration.ofMillis(50);

  private final Transport transport;
  private final ObservationRegistry observations;
  private final Tracing tracing;
  private final PostgresDatabase database;
  private final Outbox<Connection> outbox;
  private final BaseProcessManager<Connection> manager;
  private final Inbox<Connection> inbox;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();

  TracedService(
      Spans spans,
      Transport transport,
      Function<Outbox<Connection>, AutoCommandHandlerRegistry<Connection>> handlers,
      UnaryOperator<CommandBus.Builder<Connection>> commands,
      Map<String, String> queues,
      Handlers.Builder<Connection> events,
      ProcessConfiguration... processes) {
    this.transport = transport;
    observations = spans.newService();
    tracing = ObservedTracing.of(observations).withSystem(transport.system());
    database = new PostgresDatabase("traced");
    outbox = Outbox.over(database.outbox()).tracedBy(tracing);
    CommandBus.Builder<Connection> bus =
        commands.apply(
            CommandBus.builder(database.commands(), CODEC)
                .handlers(handlers.apply(outbox))
                .transactions(database.outbox().transactions())
                .outbox(outbox)
                .tracing(tracing)
                .options(CommandOptions.defaults().withSweepEvery(SOON)));
    BaseProcessManager.Builder<Connection> builder =
        BaseProcessManager.builder(database.processes(), bus, CODEC)
            .transactions(database.outbox().transactions());
    for (ProcessConfiguration process : processes) {
      builder.process(process);
    }
    manager = builder.build();
    inbox =
        Inbox.builder(database.inbox(), manager.bus().receive(events, queues).build())
            .retries(database.retries())
            .transactions(database.outbox().transactions())
            .tracing(tracing)
            .build();
  }

  /** Runs it; what it sends comes to the other one. */
  void start(TracedService other) {
    MessageSender sender = transport.sender(other.inbox);
    OutboxRelay relay =
        OutboxRelay.builder(database.outbox(), sender)
            .options(RelayOptions.defaults().withSweepEvery(SOON))
            .tracing(tracing)
            .build();
    running.push(sender);
    running.push(transport.receive(inbox));
    running.push(relay);
    manager.start();
    relay.start();
  }

  ObservationRegistry observations() {
    return observations;
  }

  Inbox<Connection> inbox() {
    return inbox;
  }

  PostgresDatabase database() {
    return database;
  }

  Outbox<Connection> outbox() {
    return outbox;
  }

  BaseProcessManager<Connection> manager() {
    return manager;
  }

  @Override
  public void close() throws Exception {
    manager.close();
    while (!running.isEmpty()) {
      running.pop().close();
    }
    inbox.close();
    database.close();
  }
}
