package io.postroad.faults;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandOptions;
import io.postroad.command.CommandRequest;
import io.postroad.internal.command.StepCommands;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.schema.SchemaMode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A command bus in a process of its own, whose handlers write a row and then do not return. */
final class FrozenCommandProcess {
  static final String TYPE = "Book";
  static final String HOLDING = "HOLDING";
  static final int HANDLERS = 3;

  /** The shortest lease that these options take. */
  static final Duration LEASE = Duration.ofMillis(10_500);

  private static final Duration HANDLER_TIMEOUT = Duration.ofSeconds(5);
  private static final JsonCodec CODEC = JacksonJsonCodec.create();

  private FrozenCommandProcess() {}

  public static void main(String[] args) throws Exception {
    HandlerDatabase database = HandlerDatabase.parse(args[0]);
    boolean accepts = Boolean.parseBoolean(args[1]);
    try (OpenCommands<?> open = database.openCommands("frozen", SchemaMode.VERIFY)) {
      hold(open, accepts);
    }
  }

  private static <T> void hold(OpenCommands<T> open, boolean accepts) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (CommandBus<T> bus =
        bus(
            open,
            () -> {
              System.out.println(HOLDING);
              never.await();
            })) {
      bus.start();
      if (accepts) {
        for (int number = 0; number < HANDLERS; number++) {
          int at = number;
          var unused =
              open.commands()
                  .transactions()
                  .call(transaction -> StepCommands.of(bus).accept(transaction, request(at)));
        }
      }
      HandlerChild.stayReady();
    }
  }

  static CommandRequest request(int number) {
    return CommandRequest.of(TYPE, "key " + number, "business " + number, "{\"number\":1}");
  }

  /** Work that a handler does in its transaction after its row is written. */
  @FunctionalInterface
  interface More {
    void run() throws Exception;
  }

  /** A bus whose handlers write the row that the frozen node has written, too. */
  static <T> CommandBus<T> bus(OpenCommands<T> open, More more) {
    AutoCommandHandlerRegistry<T> handlers =
        AutoCommandHandlerRegistry.<T>builder(CODEC)
            .on(
                TYPE,
                Map.class,
                (command, context) -> {
                  Message effect =
                      Message.event("Booked")
                          .id(context.commandId())
                          .to("orders")
                          .key(context.businessKey())
                          .json(String.valueOf(command.get("number")))
                          .build();
                  open.effects().add(context.transaction(), effect);
                  more.run();
                  return "";
                })
            .build();
    return CommandBus.builder(open.commands(), CODEC)
        .handlers(handlers)
        .options(
            CommandOptions.defaults()
                .withName("node-" + ProcessHandle.current().pid())
                .withConcurrency(HANDLERS)
                .withTimes(HANDLER_TIMEOUT, LEASE))
        .build();
  }
}
