package io.postroad.internal.process.runtime;

import io.postroad.command.CommandNotHereException;
import io.postroad.command.CommandOptions;
import io.postroad.command.CommandRequest;
import io.postroad.internal.command.Recall;
import io.postroad.internal.command.StepCommands;
import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.process.engine.Binding.CannotBindException;
import io.postroad.internal.process.engine.Effect;
import io.postroad.internal.process.engine.Engine;
import io.postroad.internal.process.engine.Environment;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.ProcessState.Carried;
import io.postroad.message.JsonCodecException;
import io.postroad.message.PostroadException;
import io.postroad.process.Node;
import io.postroad.trace.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Hands the commands of steps over to the bus, and takes them back. Checks each command before
 * anything is written, so that a refused command fails its own step, not the one before it. Safe to
 * use from many threads.
 */
public final class Outgoing<T> {
  /** Added to the lease of a command that is handed off in memory: see {@link #until}. */
  private static final Duration SPARE = Duration.ofSeconds(1);

  private final StepCommands<T> steps;
  private final Definitions<T> definitions;
  private final ProcessCodec codec;
  private final boolean parksBranches;
  private final Set<String> types;
  private final Set<String> sentTypes;

  public Outgoing(
      StepCommands<T> steps,
      Definitions<T> definitions,
      ProcessCodec codec,
      boolean parksBranches) {
    this.steps = steps;
    this.definitions = definitions;
    this.codec = codec;
    this.parksBranches = parksBranches;
    this.types = Set.copyOf(steps.types());
    this.sentTypes = Set.copyOf(steps.sentTypes());
  }

  boolean canAccept(String type) {
    return types.contains(type);
  }

  /** Begins the requests of one transition. */
  Requests of(Engine engine, Instant now) {
    return new Requests(engine, now);
  }

  /** The requests of one transition, each made once. Used by one thread. */
  final class Requests implements Environment.SendCheck {
    private final Engine engine;
    private final Instant now;
    private final Map<UUID, CommandRequest> checked = new HashMap<>();

    private Requests(Engine engine, Instant now) {
      this.engine = engine;
      this.now = now;
    }

    /**
     * Returns why a command cannot be sent.
     *
     * @throws CommandNotHereException when this node knows no handler, and the process runs on a
     *     definition of another release, whose nodes may know one
     */
    @Override
    public Optional<String> whyNot(ProcessState state, Effect.Send send) {
      if (!canAccept(send.type()) && !definitions.isCurrent(state.type(), state.definition())) {
        throw new CommandNotHereException(
            "process %s on definition %s goes on with %s, which this node knows no handler for"
                .formatted(state.id(), state.definition(), send.type()));
      }
      try {
        checked.put(send.command(), request(engine, state, send, now));
        return Optional.empty();
      } catch (IllegalArgumentException | JsonCodecException refused) {
        return Optional.of(ErrorText.of(refused));
      }
    }

    private CommandRequest of(Effect.Send send) {
      return Objects.requireNonNull(checked.get(send.command()));
    }
  }

  /**
   * Returns the handoff of a transition whose only command this node can run without a row; empty
   * when its commands need rows.
   */
  Optional<Carried> handoff(
      T transaction, ProcessState state, List<Effect.Send> sends, Outgoing<?>.Requests requests) {
    if (sends.size() != 1 || sends.get(0).isUndo() || !state.isSingle()) {
      return Optional.empty();
    }
    Effect.Send send = sends.get(0);
    CommandOptions options = steps.options();
    return steps.canHandOff(transaction, requests.of(send))
        ? Optional.of(
            new Carried(
                send.command(),
                options.name(),
                until(state, requests.now.plus(options.leaseFor()))))
        : Optional.empty();
  }

  /** Keeps the time of the handoff before, which is in an index, while it lasts for this one. */
  private static Instant until(ProcessState state, Instant least) {
    return state
        .carried()
        .map(Carried::until)
        .filter(known -> !known.isBefore(least))
        .orElseGet(() -> least.plus(SPARE));
  }

  /** Returns the handoff that a state keeps after any other transition: until it has ended. */
  static Optional<Carried> kept(ProcessState state) {
    return state.carried().filter(carried -> state.isRunning(carried.command()));
  }

  /** Hands a command over, in memory if {@link #handoff} allows it. */
  void send(
      T transaction,
      ProcessState state,
      Effect.Send send,
      Outgoing<?>.Requests requests,
      boolean inMemory) {
    CommandRequest request = requests.of(send);
    UUID accepted =
        steps
            .tracing()
            .follow(
                () -> span(state, send),
                span ->
                    inMemory
                        ? steps.handOff(transaction, request)
                        : steps.accept(transaction, request));
    if (!accepted.equals(send.command())) {
      throw new PostroadException(
          "command %s has the idempotency key '%s' of a step of process %s"
              .formatted(accepted, send.key(), state.id()));
    }
  }

  private static Operation span(ProcessState state, Effect.Send send) {
    return new Operation(
        Operation.Verb.STEP, state.type(), send.step(), state.id().toString(), Optional.empty());
  }

  /** Takes a command back; false when it runs, or another service may have it. */
  boolean recall(T transaction, Effect.Recall recall) {
    return !sentTypes.contains(recall.type())
        && steps.recall(transaction, recall.command(), "its process goes on without it")
            == Recall.RECALLED;
  }

  boolean hasRow(T transaction, UUID command) {
    return steps.find(transaction, command).isPresent();
  }

  StepCommands.Orphan writeOrphan(CommandRequest request, String why) {
    return steps.writeOrphan(request, why);
  }

  /** Thrown when a command cannot be made again, because its data or the code have changed. */
  static final class CannotMakeException extends Exception {
    private static final long serialVersionUID = 1L;

    CannotMakeException(String step, Throwable cause) {
      super(
          "the command of step %s cannot be made again: %s".formatted(step, ErrorText.of(cause)),
          cause);
    }
  }

  /**
   * Makes the request for a command that was made before once more.
   *
   * @throws CommandNotHereException when this node lacks what it needs for it, and another may not
   */
  CommandRequest again(ProcessState state, UUID command) throws CannotMakeException {
    Engine engine = definitions.engine(state.type(), state.definition());
    Node.Step step = engine.stepOf(state, command);
    if (!canAccept(step.command())) {
      throw new CommandNotHereException(
          "process %s waits for %s, which this node knows no handler for"
              .formatted(state.id(), step.command()));
    }
    try {
      return request(engine, state, engine.again(state, command), state.updatedAt());
    } catch (CannotBindException | RuntimeException | Error broken) {
      throw new CannotMakeException(step.id(), broken);
    }
  }

  /** Makes a request that the bus does not refuse; local commands are refused by type only. */
  private CommandRequest request(Engine engine, ProcessState state, Effect.Send send, Instant now) {
    boolean isParked =
        parksBranches && !send.isUndo() && engine.scopes().of(send.step()).isPresent();
    CommandRequest request =
        CommandRequest.of(
                send.type(), send.key(), state.businessKey(), codec.encode(send.payload()))
            .withId(send.command())
            .withHeaders(ProcessHeaders.of(state, send.step(), isParked));
    if (!send.delay().isZero()) {
      request = request.notBefore(now.plus(send.delay()));
    }
    if (send.timeout().isPresent()) {
      request = request.within(send.timeout().get());
    }
    if (!canAccept(send.type()) || sentTypes.contains(send.type())) {
      steps.check(request);
    }
    return request;
  }
}
