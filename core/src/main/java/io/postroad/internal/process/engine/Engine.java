package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Advance.Verdict;
import io.postroad.internal.process.engine.Binding.CannotBindException;
import io.postroad.internal.process.engine.Happening.Operated;
import io.postroad.internal.process.engine.Happening.Queued;
import io.postroad.internal.process.engine.Happening.RecallAnswered;
import io.postroad.internal.process.engine.Happening.Replied;
import io.postroad.internal.process.engine.Happening.RequestDue;
import io.postroad.internal.process.engine.Happening.Signalled;
import io.postroad.internal.process.engine.Happening.Start;
import io.postroad.process.FailureKind;
import io.postroad.process.Node;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessEvent.AttemptRecalled;
import io.postroad.process.ProcessEvent.CompensationFailed;
import io.postroad.process.ProcessEvent.ProcessStarted;
import io.postroad.process.ProcessEvent.RequestQueued;
import io.postroad.process.ProcessEvent.RequestRefused;
import io.postroad.process.ProcessEvent.RequestTaken;
import io.postroad.process.ProcessEvent.SignalIgnored;
import io.postroad.process.ProcessEvent.SignalKept;
import io.postroad.process.ProcessEvent.SignalReceived;
import io.postroad.process.ProcessEvent.SignalTimedOut;
import io.postroad.process.ProcessEvent.StepRecalled;
import io.postroad.process.ProcessEvent.WaitCompleted;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The process manager as one pure function: {@code (state, happening) -> (state, events, effects)}.
 * What runs processes, what checks definitions and what tests them all use this one. It reads no
 * clock, makes no ids and touches no database. Safe to use from many threads.
 *
 * <p>{@link Forward} goes on, {@link Backward} takes back and undoes, {@link Replies} and {@link
 * Operation} decide which.
 */
public final class Engine {
  private final ProcessGraph graph;
  private final Scopes scopes;
  private final Evolution evolution;
  private final Rules rules;
  private final Laws laws;

  public Engine(ProcessGraph graph, Rules rules, Laws laws) {
    this.graph = graph;
    this.rules = rules;
    this.laws = laws;
    scopes = Scopes.of(graph);
    evolution = new Evolution(graph, scopes);
  }

  public ProcessGraph graph() {
    return graph;
  }

  public Laws laws() {
    return laws;
  }

  public Scopes scopes() {
    return scopes;
  }

  /** Where the process stands after one more event; for reading a log. */
  ProcessState after(ProcessState state, ProcessEvent event, Instant at) {
    return evolution.after(state, event, at);
  }

  public Advance on(ProcessState state, Happening happening, Moment moment) {
    Turn turn = new Turn(graph, scopes, evolution, rules, laws, moment, state);
    Verdict verdict = react(turn, happening);
    return turn.advance(verdict);
  }

  /** The step one of whose attempts this command is. */
  public Node.Step stepOf(ProcessState state, UUID command) {
    return (Node.Step) graph.node(state.markOf(command).orElseThrow().node());
  }

  /** A command of a step once more, as it was. */
  public Effect.Send again(ProcessState state, UUID command) throws CannotBindException {
    Node.Step step = stepOf(state, command);
    return Forward.again(graph, scopes, state, step, command);
  }

  private Verdict react(Turn turn, Happening happening) {
    Backward backward = new Backward(turn);
    Forward forward = new Forward(turn, backward);
    if (happening instanceof Replied replied) {
      return new Replies(turn, forward, backward).on(replied);
    } else if (happening instanceof RecallAnswered answer) {
      return recalled(turn, backward, answer);
    } else if (happening instanceof Start start) {
      turn.record(
          new ProcessStarted(
              graph.processType(),
              start.businessKey(),
              start.definition(),
              start.data(),
              graph.deadline().map(turn.now()::plus)));
      forward.enter(Optional.of(graph.first()), Optional.empty());
      return Verdict.TAKEN;
    } else if (happening instanceof Signalled signalled) {
      return signalled(turn, forward, signalled);
    } else if (happening instanceof Operated operated) {
      return new Operation(turn, forward, backward).on(operated);
    } else if (happening instanceof Queued queued) {
      turn.record(queued.request());
      return Verdict.TAKEN;
    } else if (happening instanceof RequestDue) {
      return requestDue(turn);
    } else {
      return timePassed(turn, forward, backward);
    }
  }

  /** A request that is refused changes nothing, and the log says so. */
  private Verdict requestDue(Turn turn) {
    if (turn.state().requests().isEmpty()) {
      return Verdict.REPEATED;
    }
    RequestQueued request = turn.state().requests().get(0);
    turn.record(new RequestTaken(request.verb(), request.target()));
    if (react(turn, Happening.of(request)) == Verdict.REFUSED) {
      turn.record(
          new RequestRefused(
              request.verb(), request.target(), turn.refusal().orElse("it is not possible")));
    }
    return Verdict.TAKEN;
  }

  private static Verdict recalled(Turn turn, Backward backward, RecallAnswered answer) {
    Optional<StepMark> mark =
        turn.markOf(answer.command()).filter(m -> m.running().contains(answer.command()));
    if (answer.isRecalled() && mark.isEmpty()) {
      return undoRecalled(turn, answer.command());
    }
    if (mark.isEmpty() || !answer.isRecalled()) {
      return Verdict.REPEATED;
    }
    String step = mark.get().node();
    turn.record(
        turn.laws().isAwaited(mark.get(), answer.command())
            ? new StepRecalled(step, Optional.of(answer.command()))
            : new AttemptRecalled(step, answer.command()));
    backward.carryOn();
    return Verdict.TAKEN;
  }

  /** The step stays done: its process was ended where it stood. */
  private static Verdict undoRecalled(Turn turn, UUID command) {
    Optional<StepMark> undoing =
        turn.undoneBy(command).filter(mark -> mark.state() == StepState.UNDOING);
    undoing.ifPresent(
        mark ->
            turn.record(
                new CompensationFailed(
                    mark.node(),
                    command,
                    "its undo was taken back: the process was ended",
                    false)));
    return undoing.isPresent() ? Verdict.TAKEN : Verdict.REPEATED;
  }

  private Verdict signalled(Turn turn, Forward forward, Signalled signalled) {
    if (turn.state().status() != ProcessStatus.RUNNING) {
      return turn.refuse(
          "process %s is %s and takes no signals".formatted(turn.state().id(), status(turn)));
    }
    List<Node.Await> awaits =
        graph.nodes().stream()
            .filter(node -> node instanceof Node.Await)
            .map(node -> (Node.Await) node)
            .toList();
    List<Node.Await> wanted =
        awaits.stream().filter(await -> await.signal().equals(signalled.signal())).toList();
    for (Node.Await await : wanted) {
      if (turn.state().mark(await.id()).filter(m -> m.state() == StepState.WAITING).isPresent()) {
        turn.record(new SignalReceived(await.id(), signalled.signal(), signalled.data()));
        forward.enter(await.next(), scopes.of(await.id()));
        return Verdict.TAKEN;
      }
    }
    long toCome = wanted.stream().filter(await -> isStillToCome(turn.state(), await)).count();
    if (early(turn, signalled.signal()) < toCome) {
      turn.record(new SignalKept(signalled.signal(), signalled.data()));
      return Verdict.TAKEN;
    }
    if (toCome > 0) {
      // Perhaps a repeat, perhaps not: a person can tell by the log.
      turn.record(new SignalIgnored(signalled.signal(), signalled.data()));
      return Verdict.TAKEN;
    }
    return wanted.isEmpty()
        ? turn.refuse(
            "process %s of type '%s' waits for no signal '%s'; it knows %s"
                .formatted(
                    turn.state().id(),
                    graph.processType(),
                    signalled.signal(),
                    awaits.stream().map(Node.Await::signal).toList()))
        : Verdict.REPEATED;
  }

  private static int early(Turn turn, String signal) {
    return turn.state().signals().getOrDefault(signal, List.of()).size();
  }

  private static boolean isStillToCome(ProcessState state, Node.Await await) {
    return state.mark(await.id()).map(StepMark::state).orElse(StepState.HELD) == StepState.HELD;
  }

  private Verdict timePassed(Turn turn, Forward forward, Backward backward) {
    if (turn.state().isPaused() || turn.state().status() != ProcessStatus.RUNNING) {
      return Verdict.REPEATED;
    }
    Optional<Instant> deadline = turn.state().deadline();
    if (deadline.isPresent() && !turn.now().isBefore(deadline.get())) {
      backward.fail(
          FailureKind.DEADLINE,
          "the process was not done within %s".formatted(graph.deadline().orElseThrow()));
      return Verdict.TAKEN;
    }
    List<StepMark> due =
        turn.state()
            .in(StepState.WAITING)
            .filter(mark -> mark.due().filter(at -> !turn.now().isBefore(at)).isPresent())
            .toList();
    for (StepMark mark : due) {
      if (turn.state().status() == ProcessStatus.RUNNING) {
        waited(turn, forward, backward, graph.node(mark.node()));
      }
    }
    return due.isEmpty() ? Verdict.REPEATED : Verdict.TAKEN;
  }

  private void waited(Turn turn, Forward forward, Backward backward, Node node) {
    if (node instanceof Node.Await await) {
      turn.record(new SignalTimedOut(await.id(), await.signal()));
      backward.fail(
          FailureKind.SIGNAL_TIMED_OUT,
          "signal '%s' did not come within %s"
              .formatted(await.signal(), await.timeout().orElseThrow()));
    } else {
      turn.record(new WaitCompleted(node.id()));
      forward.enter(node.next(), scopes.of(node.id()));
    }
  }

  private static ProcessStatus status(Turn turn) {
    return turn.state().status();
  }
}
