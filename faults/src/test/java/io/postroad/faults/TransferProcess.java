package io.postroad.faults;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandContext;
import io.postroad.command.CommandOptions;
import io.postroad.command.DomainCommand;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessOptions;
import io.postroad.schema.SchemaMode;
import java.time.Duration;
import java.util.Map;

/** A process manager in a process of its own, whose steps write a row in their transaction. */
final class TransferProcess {
  static final String TYPE = "Transfer";

  private static final JsonCodec CODEC = JacksonJsonCodec.create();

  /** The shortest lease that these options take: others wait for it when a process has died. */
  private static final Duration HANDLER_TIMEOUT = Duration.ofSeconds(2);

  private static final Duration LEASE = Duration.ofMillis(7_500);

  record DebitCommand(String businessKey) implements DomainCommand {}

  record ConvertCommand(String businessKey) implements DomainCommand {}

  record ReserveCommand(String businessKey) implements DomainCommand {}

  record CreditCommand(String businessKey, boolean fails) implements DomainCommand {}

  record NotifyCommand(String businessKey) implements DomainCommand {}

  record UndoDebitCommand(String businessKey) implements DomainCommand {}

  record UndoConvertCommand(String businessKey) implements DomainCommand {}

  record UndoReserveCommand(String businessKey) implements DomainCommand {}

  private TransferProcess() {}

  public static void main(String[] args) throws Exception {
    try (OpenProcesses<?> open =
        HandlerDatabase.parse(args[1]).openProcesses(args[0], SchemaMode.VERIFY)) {
      run(args[0], open);
    }
  }

  private static <T> void run(String name, OpenProcesses<T> open) throws Exception {
    try (BaseProcessManager<T> manager = manager(name, open)) {
      manager.start();
      HandlerChild.stayReady();
    }
  }

  static <T> BaseProcessManager<T> manager(String name, OpenProcesses<T> open) {
    CommandBus.Builder<T> bus =
        CommandBus.builder(open.commands().commands(), CODEC)
            .handlers(registry(open))
            .options(
                CommandOptions.defaults()
                    .withName(name)
                    .withConcurrency(4)
                    .withTimes(HANDLER_TIMEOUT, LEASE));
    return BaseProcessManager.builder(open.processes(), bus, CODEC)
        .process(new Transfer())
        .options(ProcessOptions.defaults().withName(name))
        .build();
  }

  private static <T> AutoCommandHandlerRegistry<T> registry(OpenProcesses<T> open) {
    AutoCommandHandlerRegistry.Builder<T> registry = AutoCommandHandlerRegistry.builder(CODEC);
    return registry
        .on(DebitCommand.class, (command, context) -> effect(open, context))
        .on(ConvertCommand.class, (command, context) -> effect(open, context))
        .on(ReserveCommand.class, (command, context) -> effect(open, context))
        .on(
            CreditCommand.class,
            (command, context) -> {
              Map<String, Object> done = effect(open, context);
              if (command.fails()) {
                throw new IllegalStateException("InsufficientFunds");
              }
              return done;
            })
        .on(NotifyCommand.class, (command, context) -> effect(open, context))
        .on(UndoDebitCommand.class, (command, context) -> effect(open, context))
        .on(UndoConvertCommand.class, (command, context) -> effect(open, context))
        .on(UndoReserveCommand.class, (command, context) -> effect(open, context))
        .build();
  }

  private static <T> Map<String, Object> effect(OpenProcesses<T> open, CommandContext<T> context)
      throws Exception {
    Message row =
        Message.event("Effect")
            .to("effects")
            .key(context.businessKey() + ":" + context.type())
            .json("1")
            .build();
    open.commands().effects().add(context.transaction(), row);
    return Map.of(context.type() + "Id", row.id());
  }

  private static final class Transfer implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return TYPE;
    }

    @Override
    public ProcessGraph defineProcess() {
      return process()
          .startWith(DebitCommand.class)
          .withCompensation(UndoDebitCommand.class)
          .thenParallel()
          .branch(ConvertCommand.class)
          .withCompensation(UndoConvertCommand.class)
          .branch(ReserveCommand.class)
          .withCompensation(UndoReserveCommand.class)
          .joinAt(CreditCommand.class)
          .then(NotifyCommand.class)
          .end();
    }
  }
}
