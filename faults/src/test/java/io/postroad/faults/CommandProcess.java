package io.postroad.faults;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandOptions;
import io.postroad.command.CommandRequest;
import io.postroad.command.CommandSignal;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.CommandStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A command bus in a process of its own, which dies at one of the points. */
final class CommandProcess {
  static final int DIED = 137;
  static final String EVENTS = "orders";
  static final String REPLIES = "APP.CMD.REPLY.Q";

  private static final JsonCodec CODEC = JacksonJsonCodec.create();

  /** The shortest lease that these options take: others wait for it when a process has died. */
  private static final Duration HANDLER_TIMEOUT = Duration.ofSeconds(2);

  private static final Duration LEASE = Duration.ofMillis(7_500);

  private CommandProcess() {}

  public static void main(String[] args) throws Exception {
    HandlerDatabase database = HandlerDatabase.parse(args[0]);
    CommandPoint point = CommandPoint.valueOf(args[1]);
    try (OpenCommands<?> open = database.openCommands(point.name(), SchemaMode.VERIFY)) {
      run(open, point);
    }
  }

  private static <T> void run(OpenCommands<T> open, CommandPoint point) throws Exception {
    CommandStore<T> dying = point.watching(open.commands());
    try (CommandBus<T> bus = bus(open, dying, List.of(point), signal -> heard(signal, point))) {
      if (point == CommandPoint.ACCEPTED) {
        UUID unused = bus.accept(request(point));
      }
      bus.start();
      HandlerChild.stayReady();
    }
  }

  private static void heard(CommandSignal signal, CommandPoint point) {
    if (point == CommandPoint.COMMITTED && signal instanceof CommandSignal.Completed) {
      CommandPoint.die();
    }
  }

  static CommandRequest request(CommandPoint point) {
    return CommandRequest.of(point.type(), "key of " + point, point.name(), "{\"number\":1}")
        .replyTo(REPLIES);
  }

  /** A bus whose handlers write a row and an event in their transaction. */
  static <T> CommandBus<T> bus(
      OpenCommands<T> open,
      CommandStore<T> store,
      Collection<CommandPoint> points,
      io.postroad.command.CommandObserver observer) {
    Outbox<T> outbox = Outbox.over(open.outbox());
    AutoCommandHandlerRegistry.Builder<T> registry = AutoCommandHandlerRegistry.builder(CODEC);
    for (CommandPoint point : points) {
      registry.on(
          point.type(),
          Map.class,
          (command, context) -> {
            Message event =
                Message.event("OrderCreated")
                    .id(context.commandId())
                    .to(EVENTS)
                    .key(context.businessKey())
                    .json(String.valueOf(command.get("number")))
                    .build();
            open.effects().add(context.transaction(), event);
            return outbox.append(context.transaction(), event).id();
          });
    }
    return CommandBus.builder(store, CODEC)
        .handlers(registry.build())
        .outbox(outbox)
        .observer(observer)
        .options(
            CommandOptions.defaults()
                .withName("node-" + ProcessHandle.current().pid())
                .withConcurrency(2)
                .withTimes(HANDLER_TIMEOUT, LEASE))
        .build();
  }
}
