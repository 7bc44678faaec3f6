package io.postroad.benchmarks.pickup;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandContext;
import io.postroad.command.CommandOptions;
import io.postroad.command.DomainCommand;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The commands and the process of the nodes, the same on each node. */
final class PickupWork {
  static final String PROCESS = "Trip";
  static final JsonCodec CODEC = JacksonJsonCodec.create();

  /** Short enough to be measured, and consistent with the other options. */
  static final Duration HANDLER_TIMEOUT = Duration.ofSeconds(5);

  static final Duration COMMAND_LEASE = Duration.ofSeconds(12);

  /**
   * The time in which a handler keeps its transaction open, so that a fault affects some of them.
   */
  private static final long HANDLER_MILLIS = 100;

  private PickupWork() {}

  record PackCommand(long number) implements DomainCommand {}

  record LeaveCommand(long number) implements DomainCommand {}

  record ArriveCommand(long number) implements DomainCommand {}

  /** A process of two steps. */
  static final class Trip implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return PROCESS;
    }

    @Override
    public ProcessGraph defineProcess() {
      return process().startWith(LeaveCommand.class).then(ArriveCommand.class).end();
    }
  }

  static <T> CommandBus.Builder<T> bus(PickupStores<T> stores, String name) {
    AutoCommandHandlerRegistry<T> handlers =
        AutoCommandHandlerRegistry.<T>builder(CODEC)
            .on(PackCommand.class, (command, context) -> done(stores, context))
            .on(LeaveCommand.class, (command, context) -> done(stores, context))
            .on(ArriveCommand.class, (command, context) -> done(stores, context))
            .build();
    return CommandBus.builder(stores.commands(), CODEC)
        .handlers(handlers)
        .options(
            CommandOptions.defaults().withName(name).withTimes(HANDLER_TIMEOUT, COMMAND_LEASE));
  }

  static <T> BaseProcessManager<T> manager(PickupStores<T> stores, String name) {
    return BaseProcessManager.builder(stores.processes(), bus(stores, name), CODEC)
        .process(new Trip())
        .build();
  }

  private static <T> Map<String, Object> done(PickupStores<T> stores, CommandContext<T> context)
      throws Exception {
    stores.effect().write(context.transaction(), context.commandId().toString());
    TimeUnit.MILLISECONDS.sleep(HANDLER_MILLIS);
    return Map.of();
  }
}
