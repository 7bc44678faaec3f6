package io.postroad.process;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.internal.command.StepCommands;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.process.check.BusHandlers;
import io.postroad.internal.process.engine.Input;
import io.postroad.internal.process.engine.Input.Operated;
import io.postroad.internal.process.engine.Input.Signalled;
import io.postroad.internal.process.engine.Input.Verb;
import io.postroad.internal.process.engine.Result.Outcome;
import io.postroad.internal.process.runtime.Definitions;
import io.postroad.internal.process.runtime.DueProcesses;
import io.postroad.internal.process.runtime.Explainer;
import io.postroad.internal.process.runtime.FailingProcesses;
import io.postroad.internal.process.runtime.IdleProcesses;
import io.postroad.internal.process.runtime.OrphanedSteps;
import io.postroad.internal.process.runtime.Outgoing;
import io.postroad.internal.process.runtime.ProcessCodec;
import io.postroad.internal.process.runtime.ProcessExecutor;
import io.postroad.internal.process.runtime.ProcessReplies;
import io.postroad.internal.process.runtime.ProcessReporter;
import io.postroad.internal.process.runtime.ProcessStates;
import io.postroad.internal.process.runtime.ProcessSweeper;
import io.postroad.internal.process.runtime.ReplyApplier;
import io.postroad.internal.process.runtime.Repositories;
import io.postroad.internal.process.runtime.UndoPreviews;
import io.postroad.message.JsonCodec;
import io.postroad.message.JsonCodecException;
import io.postroad.process.check.ProcessFinding;
import io.postroad.process.check.ProcessHandlers;
import io.postroad.process.check.ProcessValidator;
import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.spi.hint.Threads;
import io.postroad.spi.process.ProcessStore;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process manager. It sends the commands of processes through a {@link CommandBus} in the same
 * database, and applies the replies.
 *
 * <pre>{@code
 * BaseProcessManager<Connection> manager =
 *     BaseProcessManager.builder(processes, CommandBus.builder(commands, codec).handlers(registry), codec)
 *         .process(new SimplePaymentProcessDefinition())
 *         .build();
 * manager.start();
 * UUID processId = manager.startProcess("SimplePayment", "payment-1", Map.of("amount", 100));
 * }</pre>
 *
 * <p>Safe to use from many threads. Starting twice, stopping twice and stopping before the start
 * are legal. Stores stay open.
 *
 * @param <T> the transaction type of the database
 */
public class BaseProcessManager<T> implements ProcessManager<T>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessManager.class);
  private static final int MAX_KEY = 255;
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

  private final ProcessStore<T> store;
  private final Transactions<T> transactions;
  private final ProcessStates<T> states;
  private final ProcessOptions options;
  private final ProcessCodec codec;
  private final Definitions<T> definitions;
  private final CommandBus<T> bus;
  private final ProcessExecutor<T> executor;
  private final ProcessReplies<T> replies;
  private final ProcessSweeper<T> sweeper;
  private final Explainer<T> explainer;
  private final Repositories<T> repositories;
  private @Nullable BackgroundLoop loop;
  private volatile boolean isKept;

  /** Checks the definitions and builds the bus. */
  protected BaseProcessManager(Builder<T> from) {
    store = from.store;
    options = from.options;
    transactions = from.transactions == null ? store.transactions() : from.transactions;
    codec = new ProcessCodec(from.codec);
    definitions = new Definitions<>(store, from.codec, from.configurations, options.undoRetry());
    ProcessReporter reporter = new ProcessReporter(options.name(), from.observer);
    bus = from.commands.transactions(transactions).build();
    StepCommands<T> steps = StepCommands.of(bus);
    check(new BusHandlers(steps));
    Outgoing<T> outgoing =
        new Outgoing<>(steps, definitions, codec, store.waitingReplies().isPresent());
    states = new ProcessStates<>(store, transactions, codec);
    executor = new ProcessExecutor<>(states, definitions, reporter, options, outgoing);
    ReplyApplier<T> applier =
        new ReplyApplier<>(states, reporter, executor, new FailingProcesses(Ticker.system()));
    replies = new ProcessReplies<>(states, definitions, reporter, applier, executor);
    steps.listen(replies);
    OrphanedSteps<T> orphaned = new OrphanedSteps<>(states, reporter, outgoing, executor);
    sweeper =
        new ProcessSweeper<>(
            applier,
            new DueProcesses<>(states, definitions, reporter, executor, orphaned),
            new IdleProcesses<>(states, bus, definitions, options, reporter, replies),
            options,
            Ticker.system());
    explainer = new Explainer<>(bus, definitions, store::now);
    repositories = new Repositories<>(states);
  }

  /** Refuses definitions with errors, and logs warnings. */
  private void check(ProcessHandlers handlers) {
    List<ProcessFinding> findings = new ArrayList<>();
    for (Definitions.Current current : definitions.all()) {
      findings.addAll(ProcessValidator.check(current.graph(), current.configuration(), handlers));
    }
    findings.stream()
        .filter(finding -> !finding.isError())
        .forEach(finding -> LOG.warn("{}: {}", options.name(), finding));
    ProcessValidator.refuseErrors(findings);
  }

  /**
   * Returns a builder for a manager over this store.
   *
   * @param commands builds the bus; its store must be in the same database
   * @param codec reads and writes data
   */
  public static <T> Builder<T> builder(
      ProcessStore<T> store, CommandBus.Builder<T> commands, JsonCodec codec) {
    return new Builder<>(store, commands, codec);
  }

  /** Returns the bus that handles the commands of the processes; other commands may use it, too. */
  public CommandBus<T> bus() {
    return bus;
  }

  /** Returns the graph that processes of this type are started with. */
  public ProcessGraph getGraph(String processType) {
    return definitions.current(processType).graph();
  }

  @Override
  public UUID startProcess(String processType, String businessKey, Map<String, Object> data) {
    Map<String, Object> checked = checked(processType, businessKey, data);
    // Thrown outside of the transaction, because nothing was written and an outer one may continue.
    return idOf(started(processType, businessKey, checked), processType, businessKey);
  }

  private ProcessExecutor.Started started(
      String type, String businessKey, Map<String, Object> data) {
    try {
      return transactions.call(
          transaction ->
              transactions.lastTogether(
                  transaction, unit -> executor.start(unit, type, businessKey, data)));
    } catch (ChangedMeanwhileException changed) {
      return transactions.call(transaction -> executor.start(transaction, type, businessKey, data));
    }
  }

  @Override
  public UUID startProcess(
      T transaction, String processType, String businessKey, Map<String, Object> data) {
    Map<String, Object> checked = checked(processType, businessKey, data);
    return idOf(
        executor.start(transaction, processType, businessKey, checked), processType, businessKey);
  }

  private UUID idOf(ProcessExecutor.Started started, String type, String businessKey) {
    if (!started.isNew() && options.startPolicy() == StartPolicy.REFUSE) {
      throw new ProcessAlreadyActiveException(type, businessKey, started.id());
    }
    return started.id();
  }

  private Map<String, Object> checked(String type, String businessKey, Map<String, Object> data) {
    Definitions.Current current = definitions.current(type);
    if (businessKey.isBlank() || businessKey.length() > MAX_KEY) {
      throw new IllegalArgumentException(
          "a business key must have 1 to %d characters and not be blank, got %s"
              .formatted(
                  MAX_KEY,
                  businessKey.isBlank() ? "a blank one" : businessKey.length() + " characters"));
    }
    TreeSet<String> missing = new TreeSet<>();
    current
        .configuration()
        .startData()
        .ifPresent(
            declared -> {
              missing.addAll(declared.required());
              data.forEach(
                  (key, value) -> {
                    if (value != null) {
                      missing.remove(key);
                    }
                  });
            });
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "process type '%s' cannot be started without %s; it was given %s"
              .formatted(type, missing, new TreeSet<>(data.keySet())));
    }
    keepDefinitions();
    try {
      return codec.plain(data);
    } catch (JsonCodecException unwritable) {
      throw new IllegalArgumentException(
          "the data of process type '%s' cannot be written as JSON".formatted(type), unwritable);
    }
  }

  /** Runs without the lock of stop(), which waits for handlers that may start processes. */
  private void keepDefinitions() {
    if (!isKept) {
      definitions.keep();
      isKept = true;
    }
  }

  @Override
  public boolean handleReply(UUID processId, CommandReply reply) {
    boolean isSent =
        bus.find(reply.commandId())
            .filter(command -> command.command().destination().isPresent())
            .isPresent();
    return transactions.call(
        transaction ->
            replies.take(
                    transaction,
                    processId,
                    reply.commandId(),
                    ProcessReplies.converted(plain(reply), isSent))
                == Outcome.TAKEN);
  }

  /** Returns the reply with data as a store would return it. */
  private CommandReply plain(CommandReply reply) {
    return reply instanceof CommandReply.Completed done
        ? CommandReply.completed(done.commandId(), done.correlationId(), codec.plain(done.data()))
        : reply;
  }

  @Override
  public void signal(UUID processId, String signal, Map<String, Object> data) {
    happen(processId, new Signalled(signal, codec.plain(data)));
  }

  @Override
  public void pause(UUID processId, String actor, String reason) {
    operate(processId, Verb.PAUSE, Optional.empty(), actor, reason);
  }

  @Override
  public void resume(UUID processId, String actor, String reason) {
    operate(processId, Verb.RESUME, Optional.empty(), actor, reason);
  }

  @Override
  public void cancel(UUID processId, String actor, String reason) {
    operate(processId, Verb.CANCEL, Optional.empty(), actor, reason);
  }

  @Override
  public void terminate(UUID processId, String actor, String reason) {
    operate(processId, Verb.TERMINATE, Optional.empty(), actor, reason);
  }

  @Override
  public void retry(UUID processId, String actor, String reason) {
    operate(processId, Verb.RETRY, Optional.empty(), actor, reason);
  }

  @Override
  public void skip(UUID processId, String step, String actor, String reason) {
    operate(processId, Verb.SKIP, Optional.of(step), actor, reason);
  }

  private void operate(
      UUID processId, Verb verb, Optional<String> step, String actor, String reason) {
    if (actor.isBlank() || reason.isBlank()) {
      throw new IllegalArgumentException(
          "actor and reason must not be blank; both are written to the process log");
    }
    happen(processId, new Operated(verb, step, actor, reason));
  }

  private void happen(UUID processId, Input input) {
    Optional<ProcessExecutor.Applied> moved =
        transactions.call(transaction -> executor.ask(transaction, processId, input));
    if (moved.isEmpty()) {
      throw new IllegalArgumentException("there is no process " + processId);
    }
    moved
        .get()
        .refusal()
        .ifPresent(
            why -> {
              throw new IllegalStateException(why);
            });
  }

  @Override
  public List<UndoPreview> previewCancel(UUID processId) {
    return states
        .find(processId)
        .map(state -> UndoPreviews.of(definitions.stored(state.type(), state.definition()), state))
        .orElse(List.of());
  }

  @Override
  public Optional<ProcessExplanation> explain(UUID processId) {
    return states.find(processId).map(explainer::explain);
  }

  @Override
  public ProcessRepository getProcessRepository() {
    return repositories;
  }

  @Override
  public ProcessLogRepository getProcessLogRepository() {
    return repositories;
  }

  /**
   * Starts to handle commands and to fire timers.
   *
   * <p>A node of the release before may restart during a rollout. It leaves active processes whose
   * definition is newer than its own to nodes that have the code.
   *
   * @throws IllegalStateException when active processes on an older definition need code that this
   *     release lacks; the text lists them
   */
  public synchronized void start() {
    if (loop != null) {
      return;
    }
    keepDefinitions();
    leaveToOthersOrRefuse(definitions.stranded(bus.types()));
    bus.start();
    BackgroundLoop started =
        new BackgroundLoop(
            options.name() + "-sweeper",
            sweeper,
            new Waiter(),
            Pace.ofTrouble(),
            work -> Threads.daemon(options.name() + "-sweeper", work));
    started.start();
    loop = started;
    LOG.info(
        "{}: started; store={} types={}",
        options.name(),
        store.name(),
        definitions.all().stream().map(known -> known.graph().processType()).toList());
  }

  /**
   * Leaves processes on a newer definition to nodes of the newer release. Refuses to start with
   * processes on an older definition, because no node may have its code any more.
   */
  private void leaveToOthersOrRefuse(List<Definitions.Stranded> stranded) {
    List<String> refused =
        stranded.stream().filter(each -> !each.isNewer()).map(Definitions.Stranded::text).toList();
    if (!refused.isEmpty()) {
      throw new IllegalStateException(
          "processes would be stranded by this release: %s. Keep what they need until they have ended, or end them with cancel(..) or terminate(..) on a node of the release that started them"
              .formatted(String.join("; ", refused)));
    }
    for (Definitions.Stranded each : stranded) {
      if (definitions.isNewToTell(each.type(), each.hash())) {
        LOG.warn(
            "{}: processes run on a definition that was stored after the one of this release, and are left to nodes that have it; {}",
            options.name(),
            each.text());
      }
    }
  }

  /** Stops the bus and the timers; other nodes continue the processes. */
  public synchronized void stop() {
    BackgroundLoop stopping = loop;
    if (stopping == null) {
      return;
    }
    BackgroundLoop.stopAll(List.of(stopping), STOP_WITHIN);
    loop = null;
    bus.stop();
    LOG.info("{}: stopped", options.name());
  }

  @Override
  public synchronized void close() {
    stop();
    bus.close();
  }

  /**
   * Handles due commands, fires timers and applies waiting replies once, on the thread of the
   * caller. For tests, and for applications with their own scheduler.
   *
   * @return the number of commands and timers
   * @throws IllegalStateException while it is started
   */
  public int runOnce() {
    return sweeper.fire() + bus.runOnce();
  }

  /**
   * Checks active processes that have not changed for {@link ProcessOptions#quietFor()} once, on
   * the thread of the caller. A started manager does it by itself.
   *
   * @return how many were checked
   */
  public int reconcile() {
    return sweeper.reconcile();
  }

  /** Builds a manager. For one thread. */
  public static final class Builder<T> {
    private final ProcessStore<T> store;
    private final CommandBus.Builder<T> commands;
    private final JsonCodec codec;
    private final List<ProcessConfiguration> configurations = new ArrayList<>();
    private ProcessOptions options = ProcessOptions.defaults();
    private ProcessObserver observer = ProcessObserver.none();
    private @Nullable Transactions<T> transactions;

    private Builder(ProcessStore<T> store, CommandBus.Builder<T> commands, JsonCodec codec) {
      this.store = store;
      this.commands = commands;
      this.codec = codec;
    }

    /** Adds a type of process. */
    public Builder<T> process(ProcessConfiguration configuration) {
      configurations.add(configuration);
      return this;
    }

    /** Adds types of processes. */
    public Builder<T> processes(Collection<? extends ProcessConfiguration> more) {
      configurations.addAll(more);
      return this;
    }

    public Builder<T> options(ProcessOptions newOptions) {
      options = newOptions;
      return this;
    }

    public Builder<T> observer(ProcessObserver newObserver) {
      observer = newObserver;
      return this;
    }

    /** Sets the transactions to join; default are those of the store. */
    public Builder<T> transactions(Transactions<T> newTransactions) {
      transactions = newTransactions;
      return this;
    }

    /**
     * Checks all definitions and builds the manager.
     *
     * @throws ProcessDefinitionException when definitions have errors; the text lists all
     * @throws IllegalStateException when a type is defined twice
     */
    public BaseProcessManager<T> build() {
      return new BaseProcessManager<>(this);
    }
  }
}
