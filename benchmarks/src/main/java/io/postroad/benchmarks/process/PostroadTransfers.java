package io.postroad.benchmarks.process;

import io.postroad.benchmarks.Sql;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandContext;
import io.postroad.command.CommandOptions;
import io.postroad.command.DomainCommand;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresProcessStore;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessSignal;
import io.postroad.process.StartData;
import io.postroad.store.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** The process manager with its defaults, as many handlers as the limit has threads. */
final class PostroadTransfers implements ProcessContender {
  private static final String SCHEMA = "postroad_processes";

  private final Transfers transfers;
  private final PostgresCommandStore commands;
  private final PostgresProcessStore processes;
  private final BaseProcessManager<Connection> manager;
  private final Map<UUID, CompletableFuture<Boolean>> ends = new ConcurrentHashMap<>();

  record DebitCommand(long number) implements DomainCommand {}

  record ConvertCommand(long number) implements DomainCommand {}

  record CreditCommand(long number, boolean fails) implements DomainCommand {}

  record NotifyCommand(long number) implements DomainCommand {}

  record UndoDebitCommand(long number) implements DomainCommand {}

  record UndoConvertCommand(long number) implements DomainCommand {}

  private PostroadTransfers(DataSource pool, Transfers transfers) {
    this.transfers = transfers;
    PostgresOptions options =
        PostgresOptions.defaults().withSchema(SCHEMA).withSchemaMode(SchemaMode.MIGRATE);
    commands = PostgresCommandStore.open(pool, options);
    processes = PostgresProcessStore.open(pool, options);
    JsonCodec codec = JacksonJsonCodec.create();
    CommandBus.Builder<Connection> bus =
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

  static PostroadTransfers create(DataSource pool, Transfers transfers) throws Exception {
    Sql.run(pool, "DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
    return new PostroadTransfers(pool, transfers);
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

  private AutoCommandHandlerRegistry<Connection> registry(JsonCodec codec) {
    AutoCommandHandlerRegistry.Builder<Connection> registry =
        AutoCommandHandlerRegistry.builder(codec);
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

  private Map<String, Object> done(CommandContext<Connection> context, long number)
      throws SQLException {
    transfers.write(context.transaction(), number, context.type());
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
            Map.of("number", number, "fails", Transfers.fails(number, someFail)));
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
