package io.postroad.internal.process.runtime;

import io.postroad.command.CommandContext;
import io.postroad.command.CommandNotHereException;
import io.postroad.internal.process.engine.Effect;
import io.postroad.internal.process.engine.Engine;
import io.postroad.internal.process.engine.Environment;
import io.postroad.internal.process.engine.Input;
import io.postroad.internal.process.engine.Input.Operated;
import io.postroad.internal.process.engine.Input.Queued;
import io.postroad.internal.process.engine.Input.RecallAnswered;
import io.postroad.internal.process.engine.Input.Verb;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.ProcessState.Carried;
import io.postroad.internal.process.engine.Result;
import io.postroad.internal.process.engine.Result.Logged;
import io.postroad.message.MessageIds;
import io.postroad.process.ProcessOptions;
import io.postroad.process.StartPolicy;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses.Locked;
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

/**
 * Applies inputs to a process in one transaction: locks it, asks the {@link Engine}, recalls and
 * sends commands, saves the process with its log. A thread that has just changed the process goes
 * on without a lock, and its save fails if another thread has changed it meanwhile. Safe to use
 * from many threads.
 *
 * <p>A transaction locks the process last, after the command and the rows of its handler. While the
 * process is locked, the transaction does not wait for other commands.
 */
public final class ProcessExecutor<T> {
  private final ProcessStates<T> states;
  private final Definitions<T> definitions;
  private final ProcessReporter reporter;
  private final ProcessOptions options;
  private final Outgoing<T> outgoing;
  private final RecentStates recent = new RecentStates();

  /** Running commands whose handlers have terminated their own process. */
  private final Set<UUID> ownEnds = ConcurrentHashMap.newKeySet();

  public ProcessExecutor(
      ProcessStates<T> states,
      Definitions<T> definitions,
      ProcessReporter reporter,
      ProcessOptions options,
      Outgoing<T> outgoing) {
    this.states = states;
    this.definitions = definitions;
    this.reporter = reporter;
    this.options = options;
    this.outgoing = outgoing;
  }

  /** A process that was started, or the active one that has its business key. */
  public record Started(UUID id, boolean isNew) {}

  /** Starts a process, unless an active one has its business key. */
  public Started start(T transaction, String type, String businessKey, Map<String, Object> data) {
    String definition = definitions.current(type).definition().hash();
    Engine engine = definitions.engine(type, definition);
    UUID id = MessageIds.next();
    Instant now = states.processes().nearlyNow(transaction);
    Input start = new Input.Start(businessKey, definition, data);
    ProcessState none = ProcessState.none(id, options.startPolicy() != StartPolicy.ALLOW, now);
    Change change = transition(transaction, engine, none, List.of(start), now);
    StoredProcess stored = states.stored(engine, change.state());
    Optional<UUID> active =
        states.processes().start(transaction, stored, states.codec().entries(id, change.events()));
    if (active.isPresent()) {
      return new Started(active.get(), false);
    }
    go(transaction, change, stored);
    return new Started(id, true);
  }

  /** How a process took an input, and why it refused it. */
  public record Applied(Result.Outcome outcome, Optional<String> refusal) {}

  /** Applies an input to a process; returns empty when the process does not exist. */
  Optional<Applied> apply(T transaction, UUID id, Input input) {
    return states
        .processes()
        .lock(transaction, id)
        .map(locked -> apply(transaction, locked, input));
  }

  /**
   * Applies an input without waiting for another transaction.
   *
   * @throws io.postroad.spi.process.ProcessBusyException when another transaction has it locked
   */
  Optional<Applied> applyNow(T transaction, UUID id, Input input) {
    return states
        .processes()
        .lockNow(transaction, id)
        .map(locked -> apply(transaction, locked, input));
  }

  /**
   * Applies the request of a caller. If this node lacks code of the process, queues the request for
   * another node, unless it begins no step and needs only the stored definition.
   */
  public Optional<Applied> ask(T transaction, UUID id, Input request) {
    Optional<Applied> applied =
        states.processes().lock(transaction, id).map(locked -> ask(transaction, locked, request));
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

  /** Returns whether the handler of this command has terminated its own process, and forgets it. */
  boolean takeOwnEnd(UUID command) {
    return ownEnds.remove(command);
  }

  private Applied ask(T transaction, Locked locked, Input request) {
    StoredProcess process = locked.process();
    boolean isHere = whyNotHere(process).isEmpty();
    Engine engine = definitions.stored(process.type(), process.definition());
    ProcessState state = states.codec().state(process);
    int queued = isTermination(request) ? 0 : state.requests().size();
    if (isHere) {
      // Requests that another node queued come before this one.
      List<Input> inOrder = new ArrayList<>(Collections.nCopies(queued, new Input.RequestDue()));
      inOrder.add(request);
      return apply(transaction, locked, engine, inOrder);
    }
    if (beginsNothing(request) && queued == 0) {
      return apply(transaction, locked, engine, List.of(request));
    }
    Environment environment =
        new Environment(
            locked.now(), states.store().tick(), MessageIds::next, (choice, data) -> false);
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
    return definitions.whyNotHere(process.type(), process.definition(), outgoing::canAccept);
  }

  /**
   * Applies the queued requests of a process.
   *
   * @throws CommandNotHereException when this node lacks code of the process, too
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
   * Applies an input to a process that this node has just changed, without a lock if its state is
   * still known.
   *
   * @throws io.postroad.spi.ChangedMeanwhileException when another transaction has changed it, see
   *     {@link io.postroad.spi.process.StoredProcesses#saveKnown}; the next attempt locks it
   */
  Optional<Applied> applyNext(T transaction, UUID id, Input input) {
    Optional<ProcessState> recently = recent.take(id);
    if (recently.isEmpty()) {
      return apply(transaction, id, input);
    }
    ProcessState state = recently.get();
    Instant now = states.processes().nearlyNow(transaction);
    Engine engine = definitions.engine(state.type(), state.definition());
    Change change = transition(transaction, engine, state, List.of(input), now);
    if (change.events().isEmpty()) {
      // The input did not fit the known state, so the state may be old.
      return apply(transaction, id, input);
    }
    StoredProcess stored = states.stored(engine, change.state());
    states
        .processes()
        .saveKnown(transaction, state.seq(), stored, states.codec().entries(id, change.events()));
    go(transaction, change, stored);
    return Optional.of(change.applied());
  }

  /** Applies an input to a locked process. */
  Applied apply(T transaction, Locked locked, Input input) {
    return apply(transaction, locked, List.of(input));
  }

  /** Applies inputs to a locked process, one after the other; returns how it took the last one. */
  Applied apply(T transaction, Locked locked, List<? extends Input> inputs) {
    StoredProcess process = locked.process();
    return apply(
        transaction, locked, definitions.engine(process.type(), process.definition()), inputs);
  }

  private Applied apply(T transaction, Locked locked, Engine engine, List<? extends Input> inputs) {
    recent.forget(locked.process().id());
    ProcessState state = states.codec().state(locked.process());
    Change change = transition(transaction, engine, state, inputs, locked.now());
    if (!change.events().isEmpty()) {
      StoredProcess stored = states.stored(engine, change.state());
      states.save(transaction, stored, change.events());
      go(transaction, change, stored);
    }
    return change.applied();
  }

  /** The result of inputs and of the recalls that they caused. */
  private record Change(
      ProcessState state,
      List<Logged> events,
      List<Effect.Send> sends,
      Outgoing<?>.Requests requests,
      boolean inMemory,
      Applied applied) {}

  private Change transition(
      T transaction, Engine engine, ProcessState from, List<? extends Input> all, Instant now) {
    Outgoing<T>.Requests requests = outgoing.of(engine, now);
    Environment environment =
        new Environment(
            now, states.store().tick(), MessageIds::next, engine.graph()::decide, requests);
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
    Optional<Carried> handoff = outgoing.handoff(transaction, state, sends, requests);
    ProcessState after = state.carrying(handoff.isPresent() ? handoff : Outgoing.kept(state));
    return new Change(after, events, sends, requests, handoff.isPresent(), applied);
  }

  /** Recalls a command; one that was sent to another service cannot be recalled. */
  private RecallAnswered recalled(T transaction, Effect.Recall recall) {
    return new RecallAnswered(recall.command(), outgoing.recall(transaction, recall));
  }

  /** Sends the commands of a saved process, and reports its events after the commit. */
  private void go(T transaction, Change change, StoredProcess stored) {
    // Registered before the commands, because the first may begin right after the commit.
    states
        .transactions()
        .afterCommitOf(
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
      outgoing.send(transaction, change.state(), send, change.requests(), change.inMemory());
    }
  }
}
