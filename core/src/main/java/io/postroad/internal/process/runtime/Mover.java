package io.postroad.internal.process.runtime;

import io.postroad.command.CommandContext;
import io.postroad.command.CommandNotHereException;
import io.postroad.internal.process.engine.Advance;
import io.postroad.internal.process.engine.Advance.Logged;
import io.postroad.internal.process.engine.CurrentStep;
import io.postroad.internal.process.engine.Effect;
import io.postroad.internal.process.engine.Engine;
import io.postroad.internal.process.engine.Happening;
import io.postroad.internal.process.engine.Happening.Operated;
import io.postroad.internal.process.engine.Happening.Queued;
import io.postroad.internal.process.engine.Happening.RecallAnswered;
import io.postroad.internal.process.engine.Happening.Verb;
import io.postroad.internal.process.engine.Moment;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.ProcessState.Carried;
import io.postroad.message.MessageIds;
import io.postroad.process.ProcessOptions;
import io.postroad.process.StartPolicy;
import io.postroad.spi.ProcessStore;
import io.postroad.spi.ProcessStore.Locked;
import io.postroad.spi.StoredProcess;
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

/**
 * Moves a process in a transaction: LOCK it, let the {@link Engine} decide, take back and send
 * commands, SAVE it with its log. Whoever has just moved it goes on without a lock, and is told by
 * the save if it was changed meanwhile. Safe to use from many threads.
 *
 * <p>The process is locked last, after the command and whatever its handler locked. While it is
 * locked, commands of others are only touched without waiting for them.
 */
public final class Mover<T> {
  private final ProcessStore<T> store;
  private final Transactions<T> transactions;
  private final Definitions<T> definitions;
  private final ProcessTexts texts;
  private final ProcessNews news;
  private final ProcessOptions options;
  private final Outgoing<T> outgoing;
  private final RecentStates recent = new RecentStates();

  /** Commands that run here and whose handlers have terminated their own processes. */
  private final Set<UUID> ownEnds = ConcurrentHashMap.newKeySet();

  public Mover(
      ProcessStore<T> store,
      Transactions<T> transactions,
      Definitions<T> definitions,
      ProcessTexts texts,
      ProcessNews news,
      ProcessOptions options,
      Outgoing<T> outgoing) {
    this.store = store;
    this.transactions = transactions;
    this.definitions = definitions;
    this.texts = texts;
    this.news = news;
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
    Instant now = store.nearlyNow(transaction);
    Happening start = new Happening.Start(businessKey, definition, data);
    Turned turned = turn(transaction, engine, ProcessState.none(id, now), List.of(start), now);
    boolean isUnique = options.startPolicy() != StartPolicy.ALLOW;
    StoredProcess stored = stored(engine, turned.state(), isUnique);
    Optional<UUID> active = store.start(transaction, stored, texts.entries(id, turned.events()));
    if (active.isPresent()) {
      return new Started(active.get(), false);
    }
    go(transaction, turned, stored);
    return new Started(id, true);
  }

  /** What a happening was to a process, and why it was refused. */
  public record Moved(Advance.Verdict verdict, Optional<String> refusal) {}

  /** Lets something happen to a process; empty when there is none. */
  Optional<Moved> move(T transaction, UUID id, Happening happening) {
    return store.lock(transaction, id).map(locked -> move(transaction, locked, happening));
  }

  /**
   * {@link #move(Object, UUID, Happening)} that does not wait for the process.
   *
   * @throws io.postroad.spi.ProcessBusyException when another transaction has it
   */
  Optional<Moved> moveNow(T transaction, UUID id, Happening happening) {
    return store.lockNow(transaction, id).map(locked -> move(transaction, locked, happening));
  }

  /**
   * Does what a caller asks for. Where this node does not have all that the process may need for
   * it, the request is queued for a node that has; a request that begins nothing needs the stored
   * definition only.
   */
  public Optional<Moved> ask(T transaction, UUID id, Happening request) {
    Optional<Moved> moved =
        store.lock(transaction, id).map(locked -> ask(transaction, locked, request));
    if (isTermination(request)
        && moved.filter(done -> done.verdict() == Advance.Verdict.TAKEN).isPresent()) {
      CommandContext.current()
          .filter(handler -> ProcessHeaders.isOf(handler, id))
          .ifPresent(handler -> ownEnds.add(handler.commandId()));
    }
    return moved;
  }

  private static boolean isTermination(Happening request) {
    return request instanceof Operated operated && operated.verb() == Verb.TERMINATE;
  }

  /**
   * Takes back the note that the handler of this command has ended its own process; returns whether
   * there was one.
   */
  boolean takeOwnEnd(UUID command) {
    return ownEnds.remove(command);
  }

  private Moved ask(T transaction, Locked locked, Happening request) {
    StoredProcess process = locked.process();
    boolean isHere = whyNotHere(process).isEmpty();
    Engine engine = definitions.stored(process.type(), process.definition());
    ProcessState state = texts.state(process);
    int queued = isTermination(request) ? 0 : state.requests().size();
    if (isHere) {
      // Requests that were queued on another node came before this one.
      List<Happening> inOrder =
          new ArrayList<>(Collections.nCopies(queued, new Happening.RequestDue()));
      inOrder.add(request);
      return move(transaction, locked, engine, inOrder);
    }
    if (beginsNothing(request) && queued == 0) {
      return move(transaction, locked, engine, List.of(request));
    }
    Moment moment =
        new Moment(locked.now(), store.tick(), MessageIds::next, (choice, data) -> false);
    Advance tried = engine.on(state, request, moment);
    return tried.verdict() == Advance.Verdict.TAKEN
        ? move(transaction, locked, engine, List.of(new Queued(Happening.queued(request))))
        : new Moved(tried.verdict(), tried.refusal());
  }

  private static boolean beginsNothing(Happening request) {
    return request instanceof Operated operated
        && (operated.verb() == Verb.PAUSE || operated.verb() == Verb.TERMINATE);
  }

  private Optional<String> whyNotHere(StoredProcess process) {
    return definitions.whyNotHere(process.type(), process.definition(), outgoing::canAccept);
  }

  /**
   * Does what was queued for a process.
   *
   * @throws CommandNotHereException when this node cannot, either
   */
  void doQueued(T transaction, Locked locked, ProcessState state) {
    whyNotHere(locked.process())
        .ifPresent(
            why -> {
              throw new CommandNotHereException(why);
            });
    Moved unused =
        move(
            transaction,
            locked,
            Collections.nCopies(state.requests().size(), new Happening.RequestDue()));
  }

  /**
   * {@link #move(Object, UUID, Happening)} of a process that this node has just moved to where it
   * waits for this.
   *
   * @throws io.postroad.spi.ChangedMeanwhileException when somebody else has changed it since, as
   *     {@link ProcessStore#saveKnown} has it; the next time it is locked
   */
  Optional<Moved> moveOn(T transaction, UUID id, Happening happening) {
    Optional<RecentStates.Known> recently = recent.take(id);
    if (recently.isEmpty()) {
      return move(transaction, id, happening);
    }
    RecentStates.Known known = recently.get();
    ProcessState state = known.state();
    Instant now = store.nearlyNow(transaction);
    Engine engine = definitions.engine(state.type(), state.definition());
    Turned turned = turn(transaction, engine, state, List.of(happening), now);
    if (turned.events().isEmpty()) {
      // Not what was expected, so somebody knows better.
      return move(transaction, id, happening);
    }
    StoredProcess stored = stored(engine, turned.state(), known.isUnique());
    store.saveKnown(transaction, state.seq(), stored, texts.entries(id, turned.events()));
    go(transaction, turned, stored);
    return Optional.of(turned.moved());
  }

  /** Lets something happen to a process that is locked. */
  Moved move(T transaction, Locked locked, Happening happening) {
    return move(transaction, locked, List.of(happening));
  }

  /**
   * Lets some things happen to a process that is locked, one after the other; what the last was.
   */
  Moved move(T transaction, Locked locked, List<? extends Happening> happenings) {
    StoredProcess process = locked.process();
    return move(
        transaction, locked, definitions.engine(process.type(), process.definition()), happenings);
  }

  private Moved move(
      T transaction, Locked locked, Engine engine, List<? extends Happening> happenings) {
    recent.forget(locked.process().id());
    ProcessState state = texts.state(locked.process());
    Turned turned = turn(transaction, engine, state, happenings, locked.now());
    if (!turned.events().isEmpty()) {
      StoredProcess stored = stored(engine, turned.state(), locked.process().isUnique());
      store.save(transaction, stored, texts.entries(state.id(), turned.events()));
      go(transaction, turned, stored);
    }
    return turned.moved();
  }

  /** What came of happenings and of what was to be taken back for them. */
  private record Turned(
      ProcessState state,
      List<Logged> events,
      List<Effect.Send> sends,
      Outgoing<?>.Requests requests,
      boolean inMemory,
      Moved moved) {}

  private Turned turn(
      T transaction, Engine engine, ProcessState from, List<? extends Happening> all, Instant now) {
    Outgoing<T>.Requests requests = outgoing.of(engine, now);
    Moment moment =
        new Moment(now, store.tick(), MessageIds::next, engine.graph()::decide, requests);
    ProcessState state = from;
    List<Logged> events = new ArrayList<>();
    List<Effect.Send> sends = new ArrayList<>();
    Moved moved = new Moved(Advance.Verdict.REPEATED, Optional.empty());
    for (Happening happening : all) {
      Deque<Happening> left = new ArrayDeque<>(List.of(happening));
      while (!left.isEmpty()) {
        Happening next = left.removeFirst();
        Advance advance = engine.on(state, next, moment);
        if (next == happening) {
          moved = new Moved(advance.verdict(), advance.refusal());
        }
        state = advance.state();
        events.addAll(advance.events());
        for (Effect effect : advance.effects()) {
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
    return new Turned(after, events, sends, requests, handoff.isPresent(), moved);
  }

  /** One that was sent to another service is waited for, like one that runs here. */
  private RecallAnswered recalled(T transaction, Effect.Recall recall) {
    return new RecallAnswered(recall.command(), outgoing.recall(transaction, recall));
  }

  private StoredProcess stored(Engine engine, ProcessState state, boolean isUnique) {
    CurrentStep at = CurrentStep.of(engine.graph(), state);
    return texts.stored(state, at.name(), at.retries(), isUnique);
  }

  /** What was written down goes on: its commands are sent, and who listens is told. */
  private void go(T transaction, Turned turned, StoredProcess stored) {
    // Before the commands, the first of which may begin as soon as this is committed.
    transactions.afterCommitOf(
        transaction,
        () -> {
          if (turned.sends().size() == 1) {
            recent.remember(turned.state(), stored);
          }
          news.moved(turned.state(), turned.events());
        });
    send(transaction, turned);
  }

  private void send(T transaction, Turned turned) {
    for (Effect.Send send : turned.sends()) {
      outgoing.send(transaction, turned.state(), send, turned.requests(), turned.inMemory());
    }
  }
}
