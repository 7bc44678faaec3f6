package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.wiring.Observers;
import io.postroad.message.JsonCodec;
import io.postroad.micronaut.internal.settings.OnSwitch;
import io.postroad.micronaut.internal.settings.ProcessProperties;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessLogRepository;
import io.postroad.process.ProcessManager;
import io.postroad.process.ProcessObserver;
import io.postroad.process.ProcessRepository;
import io.postroad.spi.process.ProcessStore;
import io.postroad.transaction.Transactions;
import jakarta.inject.Singleton;
import java.util.List;

/** Makes the process manager with all processes of the application. */
@Factory
@Requires(beans = {ProcessConfiguration.class, ProcessStore.class})
@Requires(condition = OnSwitch.Commands.class)
final class ProcessFactory {

  @Singleton
  @Secondary
  @Bean(preDestroy = "close", typed = ProcessManager.class)
  <T> BaseProcessManager<T> postroadProcessManager(
      ProcessStore<T> store,
      CommandBusBuilder<T> commands,
      JsonCodec codec,
      Transactions<T> transactions,
      ProcessProperties properties,
      List<ProcessConfiguration> configurations,
      List<ProcessObserver> observers) {
    return Refusals.explained(
        () ->
            BaseProcessManager.builder(store, commands.make(), codec)
                .processes(configurations)
                .transactions(transactions)
                .options(Refusals.unlessFit("postroad.processes", properties::options))
                .observer(Observers.ofProcesses(observers))
                .build());
  }

  @Singleton
  @Secondary
  ProcessRepository postroadProcessRepository(ProcessManager<?> manager) {
    return manager.getProcessRepository();
  }

  @Singleton
  @Secondary
  ProcessLogRepository postroadProcessLogRepository(ProcessManager<?> manager) {
    return manager.getProcessLogRepository();
  }
}
