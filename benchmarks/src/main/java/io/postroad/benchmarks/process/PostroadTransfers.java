package io.postroad.benchmarks.process;

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
import io.postroad.process.ProcessSignal;
import io.postroad.process.StartData;
import io.postroad.spi.CommandStore;
import io.postroad.spi.process.ProcessStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The process manager with its defaults, and as many handlers as the limit has threads. */
final class PostroadTransfers<T> implements ProcessContender {
  private final CommandStore<T> commands;
  private final ProcessStore<T> processes;
  private final Business<T> business;
  private final BaseProcessManager<T> manager;
  private final Map<UUID, CompletableFuture<Boolean>> ends = new ConcurrentHashMap<>();

  /** Writes the entry of a step, in its transaction. */
  interface Business<T> {
    void write(T transaction, long transfer, String step) throws Exception;
  }

  record DebitCommand(long number) implements DomainCommand {}

  record ConvertCommand(long number) implements DomainCommand {}

  record CreditCommand(long number, boolean fails) implements DomainCommand {}

  record NotifyCommand(long number) implements DomainCommand {}

  record UndoDebitCommand(long number) implements DomainCommand {}

  record UndoConvertCommand(long number) implements DomainCommand {}

  PostroadTransfers(CommandStore<T> commands, ProcessStore<T> processes, Business<T> business) {
    this.commands = commands;
    this.processes = processes;
    this.business = business;
    JsonCodec codec = JacksonJsonCodec.create();
    CommandBus.Builder<T> bus =
        CommandBus.builder(commands, codec)
            .handlers(registry(codec))
            .options(CommandOptions.defaults().withConcurrency(ProcessBench.CONCURRENCY));
    manager =
        BaseProcessManager.builder(processes, bus, codec)
            .process(new Transfer())
            .observer(this::heard)
            .build();
    manager.start();
  }

  private static final class Transfer implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return "Transfer";
    }

    @Override
    public Optional<StartData> startData() {
      return Optional.of(StartData.keys("number", "fails"));
    }

    @Override
    public ProcessGraph defineProcess() {
      return process()
          .startWith(DebitCommand.class)
          .withCompensation(UndoDebitCommand.class)
          .then(ConvertCommand.class)
          .withCompensation(UndoConvertCommand.class)
          .then(CreditCommand.class)
          .then(NotifyCommand.class)
          .end();
    }
  }

  private AutoCommandHandlerRegistry<T> registry(JsonCodec codec) {
    AutoCommandHandlerRegistry.Builder<T> registry = AutoCommandHandlerRegistry.builder(codec);
    return registry
        .on(DebitCommand.class, (command, context) -> done(context, command.number()))
        .on(ConvertCommand.class, (command, context) -> done(context, command.number()))
        .on(
            CreditCommand.class,
            (command, context) -> {
              if (command.fails()) {
                throw new IllegalStateException("InsufficientFunds");
              }
              return done(context, command.number());
            })
        .on(NotifyCommand.class, (command, context) -> done(context, command.number()))
        .on(UndoDebitCommand.class, (command, context) -> done(context, command.number()))
        .on(UndoConvertCommand.class, (command, context) -> done(context, command.number()))
        .build();
  }

  private Map<String, Object> done(CommandContext<T> context, long number) throws Exception {
    business.write(context.transaction(), number, context.type());
    return Map.of(context.type() + "Id", number);
  }

  private void heard(ProcessSignal signal) {
    if (signal instanceof ProcessSignal.Ended ended) {
      end(ended.processId()).complete(true);
    }
  }

  private CompletableFuture<Boolean> end(UUID process) {
    return ends.computeIfAbsent(process, unused -> new CompletableFuture<>());
  }

  @Override
  public String name() {
    return "postroad";
  }

  @Override
  public List<Long> run(int count, boolean someFail) throws Exception {
    return Crowd.run(count, number -> transfer(number, someFail));
  }

  private void transfer(int number, boolean someFail) throws Exception {
    UUID id =
        manager.startProcess(
            "Transfer",
            "transfer-" + number,
            Map.of("number", number, "fails", TransferDatabase.fails(number, someFail)));
    boolean unusedEnd = end(id).get(1, TimeUnit.MINUTES);
    var unused = ends.remove(id);
  }

  @Override
  public void close() {
    manager.close();
    commands.close();
    processes.close();
  }
}
