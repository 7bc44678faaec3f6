package io.postroad.spring.boot;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandObserver;
import io.postroad.command.RetryRule;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.framework.internal.wiring.Observers;
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
import io.postroad.spring.boot.internal.OnCommands;
import io.postroad.spring.boot.internal.PartLifecycle;
import io.postroad.spring.boot.internal.settings.CommandProperties;
import io.postroad.spring.boot.internal.settings.ProcessProperties;
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

/** Makes the command bus with the handlers of all beans, and the process manager. */
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
      throw Refusals.ambiguousHandlers(ambiguous);
    }
  }

  @Bean
  ConnectionBudget.Part postroadCommandConnections(CommandProperties properties) {
    return ConnectionBudget.Part.commands(properties.concurrency());
  }

  /** Prepares the only bus, which is built alone or by the process manager. */
  @Bean
  @ConditionalOnMissingBean
  <T> CommandBus.Builder<T> postroadCommandBusBuilder(
      CommandStore<T> store,
      AutoCommandHandlerRegistry<T> handlers,
      Transactions<T> transactions,
      Outbox<T> outbox,
      JsonCodec codec,
      CommandProperties properties,
      ConnectionBudget budget,
      Environment environment,
      ObjectProvider<RetryRule> rule,
      ObjectProvider<CommandObserver> observers,
      ObjectProvider<Tracing> tracing) {
    CommandBus.Builder<T> builder =
        CommandBus.builder(store, codec)
            .handlers(handlers)
            .transactions(transactions)
            .outbox(outbox)
            .observer(Observers.ofCommands(observers.orderedStream().toList()))
            .tracing(tracing.getIfAvailable(Tracing::none));
    rule.ifAvailable(builder::retryRule);
    return properties.addTo(
        builder,
        budget,
        environment.getProperty("spring.application.name", ""),
        "spring.application.name");
  }

  /** Makes a bus without processes. */
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

  /** Makes the process manager, which builds the bus because it listens to the replies. */
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
          .options(Refusals.unlessFit("postroad.processes", properties::options))
          .observer(Observers.ofProcesses(observers.orderedStream().toList()))
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
