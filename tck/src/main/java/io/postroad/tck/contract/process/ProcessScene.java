package io.postroad.tck.contract.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandContext;
import io.postroad.command.CommandOptions;
import io.postroad.command.DomainCommand;
import io.postroad.message.Message;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.Outbox;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessOptions;
import io.postroad.process.ProcessSignal;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepRetry;
import io.postroad.process.dsl.ProcessGraphBuilder;
import io.postroad.spi.CommandStore;
import io.postroad.spi.process.ProcessStore;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.command.CommandScene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A process manager over a store under test. Each handler writes an event in its transaction, and
 * then does what the test wants: so what was committed can be told from what was only tried.
 */
final class ProcessScene {
  static final String TYPE = "Transfer";
  static final Duration UNDO_WAIT = Duration.ofSeconds(10);

  record DebitCommand(String account) implements DomainCommand {}

  record ConvertCommand(String stepKey) implements DomainCommand {}

  record CreditCommand(String account) implements DomainCommand {}

  record NotifyCommand(String businessKey) implements DomainCommand {}

  record UndoDebitCommand(String stepKey) implements DomainCommand {}

  record UndoConvertCommand(String stepKey) implements DomainCommand {}

  record UndoCreditCommand(String stepKey) implements DomainCommand {}

  /** The reaction of a test to a command. */
  interface Behaviour {
    Map<String, Object> handle(CommandContext<Object> context) throws Exception;
  }

  final List<ProcessSignal> signals = new CopyOnWriteArrayList<>();

  /** The commands that handlers were called for, whether that was committed or not. */
  final List<String> calls = new CopyOnWriteArrayList<>();

  private final Map<String, Behaviour> behaviours = new ConcurrentHashMap<>();
  private final StoreUnderTest tck;
  private final Outbox<Object> outbox;
  private final CommandStore<Object> commands;
  private final ProcessStore<Object> processes;
  private final BaseProcessManager<Object> manager;

  private ProcessScene(
      StoreUnderTest tck,
      ProcessConfiguration configuration,
      UnaryOperator<CommandBus.Builder<Object>> bus,
      UnaryOperator<BaseProcessManager.Builder<Object>> more)
      throws Exception {
    this.tck = tck;
    this.commands = tck.commands();
    this.processes = tck.processes();
    this.outbox = Outbox.over(tck.store());
    this.manager = tck.closedAtEnd(node(configuration, bus, more));
  }

  /** A manager of a process with this graph. */
  static ProcessScene of(StoreUnderTest tck, Function<ProcessGraphBuilder, ProcessGraph> graph)
      throws Exception {
    return of(tck, configuration(graph));
  }

  static ProcessScene of(StoreUnderTest tck, ProcessConfiguration configuration) throws Exception {
    return new ProcessScene(tck, configuration, bus -> bus, builder -> builder);
  }

  static ProcessScene of(
      StoreUnderTest tck,
      ProcessConfiguration configuration,
      UnaryOperator<CommandBus.Builder<Object>> bus,
      UnaryOperator<BaseProcessManager.Builder<Object>> more)
      throws Exception {
    return new ProcessScene(tck, configuration, bus, more);
  }

  static ProcessConfiguration configuration(Function<ProcessGraphBuilder, ProcessGraph> graph) {
    return new ProcessConfiguration() {
      @Override
      public String getProcessType() {
        return TYPE;
      }

      @Override
      public ProcessGraph defineProcess() {
        return graph.apply(process());
      }
    };
  }

  /** The debit, the conversion and the credit can be undone; the note cannot. */
  static ProcessGraph transfer(ProcessGraphBuilder process) {
    return process
        .startWith(DebitCommand.class)
        .withCompensation(UndoDebitCommand.class)
        .then(ConvertCommand.class)
        .withCompensation(UndoConvertCommand.class)
        .then(CreditCommand.class)
        .withCompensation(UndoCreditCommand.class)
        .then(NotifyCommand.class)
        .end();
  }

  /** One more node over the same database. */
  BaseProcessManager<Object> node(ProcessConfiguration configuration) throws Exception {
    return node(configuration, bus -> bus, builder -> builder);
  }

  BaseProcessManager<Object> node(
      ProcessConfiguration configuration,
      UnaryOperator<CommandBus.Builder<Object>> bus,
      UnaryOperator<BaseProcessManager.Builder<Object>> more) {
    CommandBus.Builder<Object> builder =
        CommandBus.builder(commands, CommandScene.CODEC)
            .handlers(registry())
            .outbox(outbox)
            .options(
                CommandOptions.defaults()
                    .withName("node-1")
                    .withMaxAttempts(3)
                    .withBackoff(new Backoff(UNDO_WAIT, 1, UNDO_WAIT, 0)));
    return more.apply(
            BaseProcessManager.builder(processes, bus.apply(builder), CommandScene.CODEC)
                .process(configuration)
                .options(
                    ProcessOptions.defaults().withUndoRetry(StepRetry.of(3, UNDO_WAIT, UNDO_WAIT)))
                .observer(signals::add))
        .build();
  }

  private AutoCommandHandlerRegistry<Object> registry() {
    return registry(
        List.of(
            DebitCommand.class,
            ConvertCommand.class,
            CreditCommand.class,
            NotifyCommand.class,
            UndoDebitCommand.class,
            UndoConvertCommand.class,
            UndoCreditCommand.class));
  }

  /** The handlers of these commands. */
  AutoCommandHandlerRegistry<Object> registry(List<Class<? extends DomainCommand>> types) {
    AutoCommandHandlerRegistry.Builder<Object> registry =
        AutoCommandHandlerRegistry.builder(CommandScene.CODEC);
    for (Class<? extends DomainCommand> type : types) {
      registry = registry.on(type, this::handle);
    }
    return registry.build();
  }

  private Map<String, Object> handle(DomainCommand command, CommandContext<Object> context)
      throws Exception {
    calls.add(context.type());
    var unused =
        outbox.append(
            context.transaction(),
            Message.event("Effect")
                .to("effects")
                .key("effects")
                .json("\"" + context.type() + "\"")
                .build());
    Behaviour behaviour = behaviours.get(context.type());
    return behaviour == null
        ? Map.of(context.type() + "Id", context.commandId().toString())
        : behaviour.handle(context);
  }

  /** Sets the reaction of the handler of a command. */
  ProcessScene when(String command, Behaviour behaviour) {
    behaviours.put(command, behaviour);
    return this;
  }

  /** The handler of a command does what it did at first. */
  void works(String command) {
    behaviours.remove(command);
  }

  ProcessScene fails(String command, String error) {
    return when(
        command,
        context -> {
          throw new IllegalStateException(error);
        });
  }

  BaseProcessManager<Object> manager() {
    return manager;
  }

  ProcessStore<Object> store() {
    return processes;
  }

  CommandStore<Object> commands() {
    return commands;
  }

  UUID start(String businessKey) {
    return manager.startProcess(TYPE, businessKey, Map.of("account", "a-1"));
  }

  /** Starts one and lets it run until nothing is due. */
  UUID run(String businessKey) {
    UUID id = start(businessKey);
    runAll();
    return id;
  }

  void runAll() {
    runAll(manager);
  }

  static void runAll(BaseProcessManager<Object> node) {
    for (int round = 0; round < 1_000; round++) {
      if (node.runOnce() == 0) {
        return;
      }
    }
    throw new AssertionError("it does not come to rest");
  }

  void advance(Duration by) throws Exception {
    tck.advance(by);
    runAll();
  }

  ProcessInstance instance(UUID id) {
    return manager
        .getProcessRepository()
        .findById(id)
        .orElseThrow(() -> new AssertionError("there is no process " + id));
  }

  ProcessStatus status(UUID id) {
    return instance(id).status();
  }

  /** Returns the log of a process as texts: {@code StepCompleted Debit}. */
  List<String> log(UUID id) {
    List<String> lines = new ArrayList<>();
    for (ProcessEvent event : manager.getProcessLogRepository().findByProcessId(id)) {
      lines.add((event.type() + " " + event.about().orElse("")).strip());
    }
    return lines;
  }

  /** The commands whose effect was committed, since the last call. */
  List<String> effects() throws Exception {
    return tck.receive().stream()
        .filter(message -> message.type().equals("Effect"))
        .map(message -> message.payload().text().orElseThrow().replace("\"", ""))
        .toList();
  }

  /** The command with the key {@code processId:rest}, for example that of {@code Debit:undo}. */
  UUID command(UUID id, String rest) {
    return commands
        .findByKey(id + ":" + rest)
        .orElseThrow(() -> new AssertionError("there is no command %s:%s".formatted(id, rest)))
        .id();
  }

  /** A bus that handles one command at each {@code runOnce}. */
  static CommandBus.Builder<Object> oneByOne(CommandBus.Builder<Object> bus) {
    return bus.options(CommandOptions.defaults().withName("node-1").withBatch(1));
  }

  void endsAs(UUID id, ProcessStatus status) {
    assertThat(status(id)).as(() -> String.join("\n", log(id))).isEqualTo(status);
  }
}
