package io.postroad.test;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.internal.command.StepCommands;
import io.postroad.message.JsonCodec;
import io.postroad.outbox.Outbox;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.Node;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessOptions;
import io.postroad.process.ProcessSignal;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds.Opening;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.StoredCommand;
import io.postroad.spi.process.StoredProcess;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * One process on the real manager, over stores in memory, on a manual clock. Its commands have no
 * handlers: replies end them as a worker or another service would. For one thread.
 */
final class ProcessStage {
  private static final int MANY = 1_000;
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final String WORKER = "fixture";

  private final ManualClock clock;
  private final InMemoryCommandStore commands;
  private final InMemoryProcessStore processes;
  private final BaseProcessManager<InMemoryTransaction> manager;
  private final JsonCodec codec;
  private final String type;
  private final List<ProcessSignal> troubles = new ArrayList<>();
  private final List<SentCommand> sent = new ArrayList<>();
  private final Map<UUID, CommandReply> replies = new HashMap<>();
  private Optional<UUID> process = Optional.empty();
  private int read;

  ProcessStage(
      ProcessConfiguration configuration,
      JsonCodec codec,
      ProcessOptions options,
      Set<String> elsewhere,
      Instant start) {
    this.clock = ManualClock.startingAt(start);
    this.codec = codec;
    this.type = configuration.getProcessType();
    InMemoryOrderedStore store = new InMemoryOrderedStore(clock);
    this.commands = store.commands();
    this.processes = store.processes();
    Set<String> here = types(configuration);
    refuseUnknown(elsewhere, here);
    here.removeAll(elsewhere);
    CommandBus.Builder<InMemoryTransaction> bus =
        CommandBus.builder(commands, codec)
            .outbox(Outbox.over(store))
            .replyTo("replies")
            .owner("test")
            .handledElsewhere(here.toArray(String[]::new));
    elsewhere.forEach(sentType -> bus.send(sentType, "another service"));
    this.manager =
        BaseProcessManager.builder(processes, bus, codec)
            .process(configuration)
            .options(options)
            .observer(this::hear)
            .build();
  }

  private static Set<String> types(ProcessConfiguration configuration) {
    Set<String> types = new TreeSet<>();
    for (Node node : configuration.defineProcess().nodes()) {
      if (node instanceof Node.Step step) {
        types.add(step.command());
        step.undo().map(Node.Undo::command).ifPresent(types::add);
      }
    }
    return types;
  }

  private void refuseUnknown(Set<String> elsewhere, Set<String> known) {
    if (!known.containsAll(elsewhere)) {
      throw new IllegalArgumentException(
          "process '%s' sends %s; it was told that others handle %s"
              .formatted(type, known, elsewhere));
    }
  }

  private void hear(ProcessSignal signal) {
    if (signal instanceof ProcessSignal.StoreFailed || signal instanceof ProcessSignal.Stuck) {
      troubles.add(signal);
    }
  }

  void start(String businessKey, Map<String, Object> data) {
    if (process.isPresent()) {
      throw new IllegalStateException("this process was started before; use one fixture for each");
    }
    process = Optional.of(manager.startProcess(type, businessKey, data));
  }

  UUID id() {
    return process.orElseThrow(
        () -> new IllegalStateException("there is no process yet: call given(..) first"));
  }

  BaseProcessManager<InMemoryTransaction> manager() {
    return manager;
  }

  ManualClock clock() {
    return clock;
  }

  StoredProcess stored() {
    return processes.queries().find(id()).orElseThrow();
  }

  List<ProcessEvent> log() {
    return manager.getProcessLogRepository().findByProcessId(id());
  }

  /** Returns the number of log entries that were read. */
  int logged() {
    return read;
  }

  /** Runs everything that is due, and collects the commands that were sent. */
  void settle() {
    for (int round = 0; manager.runOnce() > 0; round++) {
      if (round == MANY) {
        throw new AssertionError("process %s does not come to rest".formatted(id()));
      }
    }
    if (!troubles.isEmpty()) {
      throw new AssertionError("the process manager failed: " + troubles);
    }
    List<ProcessEvent> log = log();
    log.subList(read, log.size()).forEach(this::look);
    read = log.size();
  }

  private void look(ProcessEvent event) {
    if (event instanceof ProcessEvent.StepStarted started) {
      keep(started.step(), started.command(), false, started.attempt());
    } else if (event instanceof ProcessEvent.RetryScheduled retry) {
      keep(retry.step(), retry.command(), false, retry.attempt());
    } else if (event instanceof ProcessEvent.CompensationStarted undo) {
      keep(undo.step(), undo.command(), true, undo.attempt());
    }
  }

  private void keep(String step, UUID id, boolean isUndo, int attempt) {
    // A command that could not be built or sent is in the log only.
    commands
        .find(id)
        .map(StoredCommand::command)
        .ifPresent(
            command ->
                sent.add(
                    new SentCommand(
                        id,
                        step,
                        command.type(),
                        isUndo,
                        attempt,
                        decoded(command.payload()),
                        command.notBefore())));
  }

  /** Returns all commands that were sent, in order. */
  List<SentCommand> sent() {
    return sent;
  }

  /** Returns the commands that have not ended. */
  List<SentCommand> open() {
    return sent.stream().filter(command -> isOpen(command.id())).toList();
  }

  private boolean isOpen(UUID id) {
    return commands.find(id).filter(known -> !known.status().isFinished()).isPresent();
  }

  boolean isTimedOut(SentCommand command) {
    return commands
        .find(command.id())
        .flatMap(StoredCommand::outcome)
        .filter(CommandOutcome::isTimedOut)
        .isPresent();
  }

  boolean isElsewhere(SentCommand command) {
    return StepCommands.of(manager.bus()).sentTypes().contains(command.type());
  }

  Optional<Instant> deadline(SentCommand command) {
    return commands.find(command.id()).flatMap(StoredCommand::deadline);
  }

  Optional<CommandReply> reply(SentCommand command) {
    return Optional.ofNullable(replies.get(command.id()));
  }

  /** Ends a command and applies its reply, in one transaction. */
  void end(SentCommand command, CommandReply reply) {
    if (isElsewhere(command)) {
      replied(command, reply);
    } else {
      handled(command, reply);
    }
    replies.put(command.id(), reply);
  }

  private void replied(SentCommand command, CommandReply reply) {
    processes
        .transactions()
        .run(
            transaction -> {
              var unused = commands.reply(transaction, command.id(), outcome(reply));
              boolean unusedMoved = manager.handleReply(id(), reply);
            });
  }

  private void handled(SentCommand command, CommandReply reply) {
    CommandClaim claim = claim(command);
    processes
        .transactions()
        .run(
            transaction -> {
              boolean isTaken =
                  commands.open(transaction, claim, LEASE) != Opening.LOST
                      && commands.finish(transaction, claim, outcome(reply))
                      && manager.handleReply(id(), reply);
              if (!isTaken) {
                throw new AssertionError(
                    "process %s goes on without %s: what its handler does is rolled back"
                        .formatted(id(), command));
              }
            });
  }

  /** Claims this command as a worker; gives others of its type back. */
  private CommandClaim claim(SentCommand command) {
    List<CommandClaim> claims = commands.claim(WORKER, Set.of(command.type()), MANY, LEASE);
    List<CommandClaim> others =
        claims.stream().filter(claim -> !claim.id().equals(command.id())).toList();
    var unused = commands.release(others);
    return claims.stream()
        .filter(claim -> claim.id().equals(command.id()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no node can take %s now".formatted(command)));
  }

  private CommandOutcome outcome(CommandReply reply) {
    if (reply instanceof CommandReply.Completed completed) {
      return CommandOutcome.completed(codec.encode(completed.data()));
    }
    CommandReply.Failed failed = (CommandReply.Failed) reply;
    return CommandOutcome.failed(failed.code().name(), failed.error());
  }

  /** Lets time pass while a node runs: everything that becomes due happens at its time. */
  void pass(Duration by) {
    Instant end = clock.instant().plus(by);
    Optional<Instant> next = next(end);
    while (next.isPresent()) {
      clock.advanceTo(next.get());
      settle();
      next = next(end);
    }
    clock.advanceTo(end);
    settle();
  }

  private Optional<Instant> next(Instant end) {
    Instant now = clock.instant();
    Stream<Instant> deadlines = open().stream().flatMap(command -> deadline(command).stream());
    return Stream.concat(stored().dueAt().stream(), deadlines)
        .map(ProcessStage::wholeMicros)
        .filter(time -> time.isAfter(now) && time.isBefore(end))
        .min(Instant::compareTo);
  }

  /** Rounds up to microseconds, the tick of the clock. */
  private static Instant wholeMicros(Instant time) {
    Instant whole = time.truncatedTo(ChronoUnit.MICROS);
    return whole.isBefore(time) ? whole.plus(1, ChronoUnit.MICROS) : whole;
  }

  /** Returns a value with its type in JSON. */
  Map<String, Object> plain(Object value) {
    return decoded(codec.encode(value));
  }

  private Map<String, Object> decoded(String json) {
    Map<String, Object> plain = new LinkedHashMap<>();
    Map<?, ?> decoded = codec.decode(json, Map.class);
    decoded.forEach((key, value) -> plain.put(String.valueOf(key), value));
    return plain;
  }
}
