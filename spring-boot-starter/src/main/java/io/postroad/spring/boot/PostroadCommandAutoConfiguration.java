package io.postroad.spring.boot;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandObserver;
import io.postroad.command.RetryRule;
import io.postroad.message.JsonCodec;
import io.postroad.outbox.Outbox;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessManager;
import io.postroad.process.ProcessObserver;
import io.postroad.spi.CommandStore;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spring.boot.internal.CommandBeans;
import io.postroad.spring.boot.internal.LateBean;
import io.postroad.spring.boot.internal.Observers;
import io.postroad.spring.boot.internal.OnCommands;
import io.postroad.spring.boot.internal.PartLifecycle;
import io.postroad.spring.boot.internal.Refused;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The command bus with the handlers of all beans, and the process manager with all processes. */
@AutoConfiguration(after = PostroadInboxAutoConfiguration.class)
@ConditionalOnBean({CommandStore.class, Transactions.class, Outbox.class})
@Conditional(OnCommands.class)
@EnableConfigurationProperties({CommandProperties.class, ProcessProperties.class})
public final class PostroadCommandAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  <T> AutoCommandHandlerRegistry<T> postroadCommandHandlers(
      ListableBeanFactory beans, JsonCodec codec, Transactions<T> transactions) {
    AutoCommandHandlerRegistry.Builder<T> builder = AutoCommandHandlerRegistry.builder(codec);
    CommandBeans.of(beans)
        .forEach((name, type) -> builder.bean(LateBean.of(beans, name, type, transactions), type));
    try {
      return builder.build();
    } catch (IllegalStateException ambiguous) {
      throw new UnusableConfigurationException(
          String.valueOf(ambiguous.getMessage()),
          "Leave one public method for each command, among all beans of the application; a method"
              + " that is not meant as a handler takes something that is no DomainCommand.",
          ambiguous);
    }
  }

  /** What the bus is made of, for whoever makes it: one bus, once. */
  @Bean
  @ConditionalOnMissingBean
  <T> CommandBus.Builder<T> postroadCommandBusBuilder(
      CommandStore<T> store,
      AutoCommandHandlerRegistry<T> handlers,
      Transactions<T> transactions,
      Outbox<T> outbox,
      JsonCodec codec,
      CommandProperties properties,
      HandlerShare share,
      Environment environment,
      ObjectProvider<RetryRule> rule,
      ObjectProvider<CommandObserver> observers,
      ObjectProvider<Tracing> tracing) {
    CommandBus.Builder<T> builder =
        CommandBus.builder(store, codec)
            .handlers(handlers)
            .transactions(transactions)
            .outbox(outbox)
            .options(Refused.unlessFit("postroad.commands", () -> properties.options(share)))
            .handledElsewhere(properties.handledElsewhere().toArray(String[]::new))
            .observer(Observers.ofCommands(observers))
            .tracing(tracing.getIfAvailable(Tracing::none));
    properties.send().forEach(builder::send);
    if (properties.replyTo() != null) {
      builder.replyTo(properties.replyTo()).owner(owner(properties, environment));
    } else if (!properties.send().isEmpty()) {
      throw new UnusableConfigurationException(
          "Commands of %s are sent to other services, but nobody would hear how they end."
              .formatted(properties.send().keySet()),
          "Say where replies come to with postroad.commands.reply-to.");
    }
    rule.ifAvailable(builder::retryRule);
    return builder;
  }

  /** Names this service among those that its replies' destination is shared with. */
  private static String owner(CommandProperties properties, Environment environment) {
    String owner =
        properties.owner() != null
            ? properties.owner()
            : environment.getProperty("spring.application.name", "");
    if (owner.isBlank()) {
      throw new UnusableConfigurationException(
          "Replies come to '%s', and this service has no name that its replies would carry, so that"
                  .formatted(properties.replyTo())
              + " it would take those of other services.",
          "Name the service with spring.application.name, or with postroad.commands.owner.");
    }
    return owner;
  }

  /** Without processes the bus stands alone. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean({ProcessConfiguration.class, ProcessManager.class})
  static class BusAlone {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    <T> CommandBus<T> postroadCommandBus(CommandBus.Builder<T> builder) {
      return builder.build();
    }

    @Bean
    PartLifecycle postroadCommandLifecycle(
        CommandBus<?> bus, ObjectProvider<StartedByHand> startedByHand) {
      return new PartLifecycle(PartLifecycle.COMMANDS, bus::start, bus::stop, startedByHand);
    }
  }

  /** The process manager makes the bus, because it listens to the replies. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean({ProcessConfiguration.class, ProcessStore.class})
  @ConditionalOnMissingBean(ProcessManager.class)
  static class BusOfProcesses {

    @Bean(destroyMethod = "close")
    <T> BaseProcessManager<T> postroadProcessManager(
        ProcessStore<T> store,
        CommandBus.Builder<T> commands,
        JsonCodec codec,
        Transactions<T> transactions,
        ProcessProperties properties,
        ObjectProvider<ProcessConfiguration> configurations,
        ObjectProvider<ProcessObserver> observers) {
      return BaseProcessManager.builder(store, commands, codec)
          .processes(configurations.orderedStream().toList())
          .transactions(transactions)
          .options(Refused.unlessFit("postroad.processes", properties::options))
          .observer(Observers.ofProcesses(observers))
          .build();
    }

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    <T> CommandBus<T> postroadCommandBus(BaseProcessManager<T> manager) {
      return manager.bus();
    }

    @Bean
    PartLifecycle postroadProcessLifecycle(
        BaseProcessManager<?> manager, ObjectProvider<StartedByHand> startedByHand) {
      return new PartLifecycle(
          PartLifecycle.COMMANDS, manager::start, manager::stop, startedByHand);
    }
  }
}
