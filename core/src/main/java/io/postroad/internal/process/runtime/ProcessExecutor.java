package io.postroad.internal.process.runtime;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandContext;
import io.postroad.command.CommandNotHereException;
import io.postroad.command.Recall;
import io.postroad.internal.process.engine.Result;
import io.postroad.internal.process.engine.Result.Logged;
import io.postroad.internal.process.engine.CurrentStep;
import io.postroad.internal.process.engine.Effect;
import io.postroad.internal.process.engine.Engine;
import io.postroad.internal.process.engine.Input;
import io.postroad.internal.process.engine.Input.Operated;
import io.postroad.internal.process.engine.Input.Queued;
import io.postroad.internal.process.engine.Input.RecallAnswered;
import io.postroad.internal.process.engine.Input.Verb;
import io.postroad.internal.process.engine.Environment;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.message.MessageIds;
import io.postroad.message.PostroadException;
import io.postroad.process.ProcessOptions;
import io.postroad.process.StartPolicy;
import io.postroad.spi.ProcessStore;
import io.postroad.spi.ProcessStore.Locked;
import io.postroad.spi.StoredProcess;
import io.postroad.trace.Operation;
import io.postroad.transaction.Transactions;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Moves a process in a transaction: LOCK it, let the {@link Engine} decide, take back and send
 * commands, SAVE it with its log. Whoever has just applied it goes on without a lock, and is told by
 * the save if it was changed meanwhile. Safe to use from many threads.
 *
 * <p>The process is locked last, after the command and whatever its handler locked. While it is
 * locked, commands of others are only touched without waiting for them.
 */
public final class ProcessExecutor<T> {
  private final ProcessStore<T> store;
  private final Transactions<T> transactions;
  private final CommandBus<T> bus;
  private final Definitions<T> definitions;
  private final ProcessCodec codec;
  private final ProcessReporter reporter;
  private final ProcessOptions options;
  private final Outgoing<T> outgoing;
  private final Carrier<T> carrier;
  private final RecentStates recent = new RecentStates();

  /** Commands that run here and whose handlers have terminated their own processes. */
  private final Set<UUID> ownEnds = ConcurrentHashMap.newKeySet();

  public ProcessExecutor(
      ProcessStore<T> store,
      Transactions<T> transactions,
      CommandBus<T> bus,
      Definitions<T> definitions,
      ProcessCodec codec,
      ProcessReporter reporter,
      ProcessOptions options,
      Outgoing<T> outgoing) {
    this.store = store;
    this.transactions = transactions;
    this.bus = bus;
    this.definitions = definitions;
    this.codec = codec;
    this.reporter = reporter;
    this.options = options;
    this.outgoing = outgoing;
    this.carrier = new Carrier<>(bus);
  }

  /** A process that was started, or the active one that has its business key. */
  public record Started(UUID id, boolean isNew) {}

  /** Starts a process, unless an active one has its business key. */
  public Started start(T transaction, String type, String businessKey, Map<String, Object> data) {
    String definition = definitions.current(type).definition().hash();
    Engine engine = definitions.engine(type, definition);
    UUID id = MessageIds.next();
    Instant now = store.nearlyNow(transaction);
    Input start = new Input.Start(businessKey, definition, data);
    Change change = transition(transaction, engine, ProcessState.none(id, now), List.of(start), now);
    boolean isUnique = options.startPolicy() != StartPolicy.ALLOW;
    StoredProcess stored = stored(engine, change.state(), isUnique);
    Optional<UUID> active = store.start(transaction, stored, codec.entries(id, change.events()));
    if (active.isPresent()) {
      return new Started(active.get(), false);
    }
    go(transaction, change, stored);
    return new Started(id, true);
  }

  /** What an input was to a process, and why it was refused. */
  public record Applied(Result.Outcome outcome, Optional<String> refusal) {}

  /** Lets something happen to a process; empty when there is none. */
  Optional<Applied> apply(T transaction, UUID id, Input input) {
    return store.lock(transaction, id).map(locked -> apply(transaction, locked, input));
  }

  /**
   * {@link #apply(Object, UUID, Input)} that does not wait for the process.
   *
   * @throws io.postroad.spi.ProcessBusyException when another transaction has it
   */
  Optional<Applied> applyNow(T transaction, UUID id, Input input) {
    return store.lockNow(transaction, id).map(locked -> apply(transaction, locked, input));
  }

  /**
   * Does what a caller asks for. Where this node does not have all that the process may need for
   * it, the request is queued for a node that has; a request that begins nothing needs the stored
   * definition only.
   */
  public Optional<Applied> ask(T transaction, UUID id, Input request) {
    Optional<Applied> applied =
        store.lock(transaction, id).map(locked -> ask(transaction, locked, request));
    if (isTermination(request)
        && applied.filter(done -> done.outcome() == Result.Outcome.TAKEN).isPresent()) {
      CommandContext.current()
          .filter(handler -> ProcessHeaders.isOf(handler, id))
          .ifPresent(handler -> ownEnds.add(handler.commandId()));
    }
    return applied;
  }

  private static boolean isTermination(Input request) {
    return request instanceof Operated operated && operated.verb() == Verb.TERMINATE;
  }

  /**
   * Takes back the note that the handler of this command has ended its own process; returns whether
   * there was one.
   */
  boolean takeOwnEnd(UUID command) {
    return ownEnds.remove(command);
  }

  private Applied ask(T transaction, Locked locked, Input request) {
    StoredProcess process = locked.process();
    boolean isHere = whyNotHere(process).isEmpty();
    Engine engine = definitions.stored(process.type(), process.definition());
    ProcessState state = codec.state(process);
    int queued = isTermination(request) ? 0 : state.requests().size();
    if (isHere) {
      // Requests that were queued on another node came before this one.
      List<Input> inOrder =
          new ArrayList<>(Collections.nCopies(queued, new Input.RequestDue()));
      inOrder.add(request);
      return apply(transaction, locked, engine, inOrder);
    }
    if (beginsNothing(request) && queued == 0) {
      return apply(transaction, locked, engine, List.of(request));
    }
    Environment environment =
        new Environment(locked.now(), store.tick(), MessageIds::next, (choice, data) -> false);
    Result tried = engine.on(state, request, environment);
    return tried.outcome() == Result.Outcome.TAKEN
        ? apply(transaction, locked, engine, List.of(new Queued(Input.queued(request))))
        : new Applied(tried.outcome(), tried.refusal());
  }

  private static boolean beginsNothing(Input request) {
    return request instanceof Operated operated
        && (operated.verb() == Verb.PAUSE || operated.verb() == Verb.TERMINATE);
  }

  private Optional<String> whyNotHere(StoredProcess process) {
    return definitions.whyNotHere(process.type(), process.definition(), bus::canAccept);
  }

  /**
   * Does what was queued for a process.
   *
   * @throws CommandNotHereException when this node cannot, either
   */
  void applyQueued(T transaction, Locked locked, ProcessState state) {
    whyNotHere(locked.process())
        .ifPresent(
            why -> {
              throw new CommandNotHereException(why);
            });
    Applied unused =
        apply(
            transaction,
            locked,
            Collections.nCopies(state.requests().size(), new Input.RequestDue()));
  }

  /**
   * {@link #apply(Object, UUID, Input)} of a process that this node has just applied to where it
   * waits for this.
   *
   * @throws io.postroad.spi.ChangedMeanwhileException when somebody else has changed it since, as
   *     {@link ProcessStore#saveKnown} has it; the next time it is locked
   */
  Optional<Applied> applyNext(T transaction, UUID id, Input input) {
    Optional<RecentStates.Known> recently = recent.take(id);
    if (recently.isEmpty()) {
      return apply(transaction, id, input);
    }
    RecentStates.Known known = recently.get();
    ProcessState state = known.state();
    Instant now = store.nearlyNow(transaction);
    Engine engine = definitions.engine(state.type(), state.definition());
    Change change = transition(transaction, engine, state, List.of(input), now);
    if (change.events().isEmpty()) {
      // Not what was expected, so somebody knows better.
      return apply(transaction, id, input);
    }
    StoredProcess stored = stored(engine, change.state(), known.isUnique());
    store.saveKnown(transaction, state.seq(), stored, codec.entries(id, change.events()));
    go(transaction, change, stored);
    return Optional.of(change.applied());
  }

  /** Lets something happen to a process that is locked. */
  Applied apply(T transaction, Locked locked, Input input) {
    return apply(transaction, locked, List.of(input));
  }

  /**
   * Lets some things happen to a process that is locked, one after the other; what the last was.
   */
  Applied apply(T transaction, Locked locked, List<? extends Input> inputs) {
    StoredProcess process = locked.process();
    return apply(
        transaction, locked, definitions.engine(process.type(), process.definition()), inputs);
  }

  private Applied apply(
      T transaction, Locked locked, Engine engine, List<? extends Input> inputs) {
    recent.forget(locked.process().id());
    ProcessState state = codec.state(locked.process());
    Change change = transition(transaction, engine, state, inputs, locked.now());
    if (!change.events().isEmpty()) {
      StoredProcess stored = stored(engine, change.state(), locked.process().isUnique());
      store.save(transaction, stored, codec.entries(state.id(), change.events()));
      go(transaction, change, stored);
    }
    return change.applied();
  }

  /** What came of inputs and of what was to be taken back for them. */
  private record Change(
      ProcessState state,
      List<Logged> events,
      List<Effect.Send> sends,
      Outgoing<?>.Requests requests,
      Optional<Supplier<UUID>> carry,
      Applied applied) {}

  private Change transition(
      T transaction, Engine engine, ProcessState from, List<? extends Input> all, Instant now) {
    Outgoing<T>.Requests requests = outgoing.of(engine, now);
    Environment environment =
        new Environment(now, store.tick(), MessageIds::next, engine.graph()::decide, requests);
    ProcessState state = from;
    List<Logged> events = new ArrayList<>();
    List<Effect.Send> sends = new ArrayList<>();
    Applied applied = new Applied(Result.Outcome.REPEATED, Optional.empty());
    for (Input input : all) {
      Deque<Input> left = new ArrayDeque<>(List.of(input));
      while (!left.isEmpty()) {
        Input next = left.removeFirst();
        Result result = engine.on(state, next, environment);
        if (next == input) {
          applied = new Applied(result.outcome(), result.refusal());
        }
        state = result.state();
        events.addAll(result.events());
        for (Effect effect : result.effects()) {
          if (effect instanceof Effect.Send send) {
            sends.add(send);
          } else if (effect instanceof Effect.Recall recall) {
            boolean isUnsent = sends.removeIf(send -> send.command().equals(recall.command()));
            left.add(
                isUnsent
                    ? new RecallAnswered(recall.command(), true)
                    : recalled(transaction, recall));
          }
        }
      }
    }
    Optional<Supplier<UUID>> carry = carrier.carry(transaction, state, sends, requests);
    ProcessState after =
        carry.isPresent()
            ? carrier.carrying(state, sends.get(0), now)
            : Carrier.stillCarrying(state);
    return new Change(after, events, sends, requests, carry, applied);
  }

  /** One that was sent to another service is waited for, like one that runs here. */
  private RecallAnswered recalled(T transaction, Effect.Recall recall) {
    boolean isRecalled =
        !bus.isSent(recall.type())
            && bus.recall(transaction, recall.command(), "its process goes on without it")
                == Recall.RECALLED;
    return new RecallAnswered(recall.command(), isRecalled);
  }

  private static Operation step(ProcessState state, Effect.Send send) {
    return new Operation(
        Operation.Verb.STEP, state.type(), send.step(), state.id().toString(), Optional.empty());
  }

  private StoredProcess stored(Engine engine, ProcessState state, boolean isUnique) {
    CurrentStep at = CurrentStep.of(engine.graph(), state);
    return codec.stored(state, at.name(), at.retries(), isUnique);
  }

  /** What was written down goes on: its commands are sent, and who listens is told. */
  private void go(T transaction, Change change, StoredProcess stored) {
    // Before the commands, the first of which may begin as soon as this is committed.
    transactions.afterCommitOf(
        transaction,
        () -> {
          if (change.sends().size() == 1) {
            recent.remember(change.state(), stored);
          }
          reporter.applied(change.state(), change.events());
        });
    send(transaction, change);
  }

  private void send(T transaction, Change change) {
    for (Effect.Send send : change.sends()) {
      UUID accepted =
          bus.tracing()
              .follow(
                  () -> step(change.state(), send),
                  span ->
                      change.carry().isPresent()
                          ? change.carry().get().get()
                          : bus.acceptHere(transaction, change.requests().of(send)));
      if (!accepted.equals(send.command())) {
        throw new PostroadException(
            "command %s has the idempotency key '%s' of a step of process %s"
                .formatted(accepted, send.key(), change.state().id()));
      }
    }
  }
}
