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
import io.postroad.message.JsonCodec;
import io.postroad.micronaut.UnusableConfigurationException;
import io.postroad.micronaut.internal.settings.CommandProperties;
import io.postroad.micronaut.internal.settings.OnSwitch;
import io.postroad.micronaut.internal.settings.Refused;
import io.postroad.outbox.Outbox;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessManager;
import io.postroad.spi.CommandStore;
import io.postroad.spi.OutboxStore;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** The command bus with the handlers of all beans. */
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
      throw new UnusableConfigurationException(
          ambiguous.getMessage() + ".",
          "Leave one public method for each command, among all beans of the application; a method"
              + " that is not meant as a handler takes something that is no DomainCommand.",
          ambiguous);
    }
  }

  @Singleton
  <T> CommandBusBuilder<T> postroadCommandBusBuilder(
      CommandStore<T> store,
      AutoCommandHandlerRegistry<T> handlers,
      Transactions<T> transactions,
      Outbox<T> outbox,
      JsonCodec codec,
      CommandProperties properties,
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
                  .options(Refused.unlessFit("postroad.commands", properties::options))
                  .handledElsewhere(properties.handledElsewhere().toArray(String[]::new))
                  .observer(Observers.ofCommands(observers))
                  .tracing(tracing.orElseGet(Tracing::none));
          properties.send().forEach(builder::send);
          if (!properties.replyTo().isEmpty()) {
            builder.replyTo(properties.replyTo()).owner(owner(properties, application));
          } else if (!properties.send().isEmpty()) {
            throw new UnusableConfigurationException(
                "Commands of %s are sent to other services, but nobody would hear how they end."
                    .formatted(properties.send().keySet()),
                "Say where replies come to with postroad.commands.reply-to.");
          }
          rule.ifPresent(builder::retryRule);
          return builder;
        });
  }

  /** Names this service among those that its replies' destination is shared with. */
  private static String owner(CommandProperties properties, ApplicationConfiguration application) {
    String owner =
        properties.owner().isEmpty() ? application.getName().orElse("") : properties.owner();
    if (owner.isBlank()) {
      throw new UnusableConfigurationException(
          "Replies come to '%s', and this service has no name that its replies would carry, so that"
                  .formatted(properties.replyTo())
              + " it would take those of other services.",
          "Name the service with micronaut.application.name, or with postroad.commands.owner.");
    }
    return owner;
  }

  /** The process manager makes the bus, because it listens to the replies; without, it is alone. */
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

  /** A bus that nobody has handlers for, and nobody asked for, need not look for commands. */
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
