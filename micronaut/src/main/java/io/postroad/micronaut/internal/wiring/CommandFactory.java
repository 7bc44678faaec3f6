package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.runtime.ApplicationConfiguration;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandObserver;
import io.postroad.command.RetryRule;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.framework.internal.wiring.Observers;
import io.postroad.message.JsonCodec;
import io.postroad.micronaut.internal.settings.CommandProperties;
import io.postroad.micronaut.internal.settings.OnSwitch;
import io.postroad.outbox.Outbox;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessManager;
import io.postroad.spi.CommandStore;
import io.postroad.spi.OutboxStore;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Makes the command bus with the handlers of all beans. */
@Factory
@Requires(beans = {OutboxStore.class, CommandStore.class})
@Requires(condition = OnSwitch.Commands.class)
final class CommandFactory {

  @Singleton
  @Secondary
  <T> AutoCommandHandlerRegistry<T> postroadCommandHandlers(BeanContext beans, JsonCodec codec) {
    AutoCommandHandlerRegistry.Builder<T> builder = AutoCommandHandlerRegistry.builder(codec);
    new CommandBeans(beans).registerIn(builder);
    try {
      return builder.build();
    } catch (IllegalStateException ambiguous) {
      throw Refusals.ambiguousHandlers(ambiguous);
    }
  }

  @Singleton
  ConnectionBudget.Part postroadCommandConnections(
      AutoCommandHandlerRegistry<?> handlers, BeanContext beans, CommandProperties properties) {
    return handlers.types().isEmpty() && !beans.containsBean(ProcessConfiguration.class)
        ? ConnectionBudget.Part.noCommands()
        : ConnectionBudget.Part.commands(properties.concurrency());
  }

  @Singleton
  <T> CommandBusBuilder<T> postroadCommandBusBuilder(
      CommandStore<T> store,
      AutoCommandHandlerRegistry<T> handlers,
      Transactions<T> transactions,
      Outbox<T> outbox,
      JsonCodec codec,
      CommandProperties properties,
      ConnectionBudget budget,
      ApplicationConfiguration application,
      Optional<RetryRule> rule,
      List<CommandObserver> observers,
      Optional<Tracing> tracing) {
    return new CommandBusBuilder<>(
        () -> {
          CommandBus.Builder<T> builder =
              CommandBus.builder(store, codec)
                  .handlers(handlers)
                  .transactions(transactions)
                  .outbox(outbox)
                  .observer(Observers.ofCommands(observers))
                  .tracing(tracing.orElseGet(Tracing::none));
          rule.ifPresent(builder::retryRule);
          return properties.addTo(
              builder, budget, application.getName().orElse(""), "micronaut.application.name");
        });
  }

  /** Returns the bus of the process manager, which listens to its replies, or else a new one. */
  @Singleton
  @Secondary
  @Bean(preDestroy = "close")
  @SuppressWarnings("unchecked") // there is one database
  <T> CommandBus<T> postroadCommandBus(
      CommandBusBuilder<T> builder, Optional<ProcessManager<T>> processes) {
    return processes.isPresent() && processes.get() instanceof BaseProcessManager<T> manager
        ? manager.bus()
        : builder.make().build();
  }

  /** Does not start a bus without handlers: it would poll for nothing. */
  @Singleton
  Part postroadCommandPart(CommandBus<?> bus, Optional<ProcessManager<?>> processes) {
    if (processes.isPresent() && processes.get() instanceof BaseProcessManager<?> manager) {
      return new Part(Part.Phase.COMMANDS, "processes", manager::start, manager::stop);
    }
    return bus.types().isEmpty()
        ? new Part(Part.Phase.COMMANDS, "no commands", () -> {}, () -> {})
        : new Part(Part.Phase.COMMANDS, "commands", bus::start, bus::stop);
  }
}
