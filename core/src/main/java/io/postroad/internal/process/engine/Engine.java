package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Binding.CannotBindException;
import io.postroad.internal.process.engine.Input.Operated;
import io.postroad.internal.process.engine.Input.Queued;
import io.postroad.internal.process.engine.Input.RecallAnswered;
import io.postroad.internal.process.engine.Input.Replied;
import io.postroad.internal.process.engine.Input.RequestDue;
import io.postroad.internal.process.engine.Input.Signalled;
import io.postroad.internal.process.engine.Input.Start;
import io.postroad.internal.process.engine.Result.Outcome;
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
 * The process manager as one pure function: {@code (state, input) -> (state, events, effects)}. The
 * runtime, the model check and the test fixture all use it. It reads no clock, makes no ids and
 * touches no database. Safe to use from many threads.
 *
 * <p>{@link Replies} and {@link OperatorAction} decide on the direction; {@link Forward} begins
 * steps, {@link Backward} recalls and undoes them.
 */
public final class Engine {
  private final ProcessGraph graph;
  private final Scopes scopes;
  private final EventApplier applier;
  private final RetryRules rules;
  private final SafetyRules safety;

  public Engine(ProcessGraph graph, RetryRules rules, SafetyRules safety) {
    this.graph = graph;
    this.rules = rules;
    this.safety = safety;
    scopes = Scopes.of(graph);
    applier = new EventApplier(graph, scopes);
  }

  public ProcessGraph graph() {
    return graph;
  }

  RetryRules retries() {
    return rules;
  }

  public SafetyRules safety() {
    return safety;
  }

  public Scopes scopes() {
    return scopes;
  }

  /** Returns the state after one more event. */
  ProcessState after(ProcessState state, ProcessEvent event, Instant at) {
    return applier.after(state, event, at);
  }

  public Result on(ProcessState state, Input input, Environment environment) {
    Transition transition = new Transition(this, environment, state);
    Outcome outcome = react(transition, input);
    return transition.result(outcome);
  }

  /** Returns the step that this command is an attempt of. */
  public Node.Step stepOf(ProcessState state, UUID command) {
    return (Node.Step) graph.node(state.progressOf(command).orElseThrow().node());
  }

  /** Builds a command of a step once more, unchanged. */
  public Effect.Send again(ProcessState state, UUID command) throws CannotBindException {
    Node.Step step = stepOf(state, command);
    return Forward.again(graph, scopes, state, step, command);
  }

  private Outcome react(Transition transition, Input input) {
    Backward backward = new Backward(transition);
    Forward forward = new Forward(transition, backward);
    if (input instanceof Replied replied) {
      return new Replies(transition, forward, backward).on(replied);
    } else if (input instanceof RecallAnswered answer) {
      return recalled(transition, backward, answer);
    } else if (input instanceof Start start) {
      transition.record(
          new ProcessStarted(
              graph.processType(),
              start.businessKey(),
              start.definition(),
              start.data(),
              graph.deadline().map(transition.now()::plus)));
      forward.enter(Optional.of(graph.first()), Optional.empty());
      return Outcome.TAKEN;
    } else if (input instanceof Signalled signalled) {
      return signalled(transition, forward, signalled);
    } else if (input instanceof Operated operated) {
      return new OperatorAction(transition, forward, backward).on(operated);
    } else if (input instanceof Queued queued) {
      transition.record(queued.request());
      return Outcome.TAKEN;
    } else if (input instanceof RequestDue) {
      return requestDue(transition);
    } else {
      return timePassed(transition, forward, backward);
    }
  }

  /** Applies the oldest queued request; a refused one only adds an entry to the log. */
  private Outcome requestDue(Transition transition) {
    if (transition.state().requests().isEmpty()) {
      return Outcome.REPEATED;
    }
    RequestQueued request = transition.state().requests().get(0);
    transition.record(new RequestTaken(request.verb(), request.target()));
    if (react(transition, Input.of(request)) == Outcome.REFUSED) {
      transition.record(
          new RequestRefused(
              request.verb(), request.target(), transition.refusal().orElse("it is not possible")));
    }
    return Outcome.TAKEN;
  }

  private static Outcome recalled(Transition transition, Backward backward, RecallAnswered answer) {
    Optional<StepProgress> progress =
        transition.progressOf(answer.command()).filter(m -> m.running().contains(answer.command()));
    if (answer.isRecalled() && progress.isEmpty()) {
      return undoRecalled(transition, answer.command());
    }
    if (progress.isEmpty() || !answer.isRecalled()) {
      return Outcome.REPEATED;
    }
    String step = progress.get().node();
    transition.record(
        transition.safety().isAwaited(progress.get(), answer.command())
            ? new StepRecalled(step, Optional.of(answer.command()))
            : new AttemptRecalled(step, answer.command()));
    backward.carryOn();
    return Outcome.TAKEN;
  }

  /** Keeps the step done: its process was terminated while an undo was queued. */
  private static Outcome undoRecalled(Transition transition, UUID command) {
    Optional<StepProgress> undoing =
        transition.undoneBy(command).filter(progress -> progress.state() == StepState.UNDOING);
    undoing.ifPresent(
        progress ->
            transition.record(
                new CompensationFailed(
                    progress.node(),
                    command,
                    "its undo was taken back: the process was ended",
                    false)));
    return undoing.isPresent() ? Outcome.TAKEN : Outcome.REPEATED;
  }

  private Outcome signalled(Transition transition, Forward forward, Signalled signalled) {
    if (transition.state().status() != ProcessStatus.RUNNING) {
      return transition.refuse(
          "process %s is %s and takes no signals"
              .formatted(transition.state().id(), status(transition)));
    }
    List<Node.Await> awaits =
        graph.nodes().stream()
            .filter(node -> node instanceof Node.Await)
            .map(node -> (Node.Await) node)
            .toList();
    List<Node.Await> wanted =
        awaits.stream().filter(await -> await.signal().equals(signalled.signal())).toList();
    for (Node.Await await : wanted) {
      if (transition
          .state()
          .progress(await.id())
          .filter(m -> m.state() == StepState.WAITING)
          .isPresent()) {
        transition.record(new SignalReceived(await.id(), signalled.signal(), signalled.data()));
        forward.enter(await.next(), scopes.of(await.id()));
        return Outcome.TAKEN;
      }
    }
    long toCome = wanted.stream().filter(await -> isStillToCome(transition.state(), await)).count();
    if (transition.state().early(signalled.signal()).size() < toCome) {
      transition.record(new SignalKept(signalled.signal(), signalled.data()));
      return Outcome.TAKEN;
    }
    if (toCome > 0) {
      // This may be a repeat or not; the log lets a person decide.
      transition.record(new SignalIgnored(signalled.signal(), signalled.data()));
      return Outcome.TAKEN;
    }
    return wanted.isEmpty()
        ? transition.refuse(
            "process %s of type '%s' waits for no signal '%s'; it knows %s"
                .formatted(
                    transition.state().id(),
                    graph.processType(),
                    signalled.signal(),
                    awaits.stream().map(Node.Await::signal).toList()))
        : Outcome.REPEATED;
  }

  private static boolean isStillToCome(ProcessState state, Node.Await await) {
    return state.progress(await.id()).map(StepProgress::state).orElse(StepState.HELD)
        == StepState.HELD;
  }

  private Outcome timePassed(Transition transition, Forward forward, Backward backward) {
    if (transition.state().isPaused() || transition.state().status() != ProcessStatus.RUNNING) {
      return Outcome.REPEATED;
    }
    Optional<Instant> deadline = transition.state().deadline();
    if (deadline.isPresent() && !transition.now().isBefore(deadline.get())) {
      backward.fail(
          FailureKind.DEADLINE,
          "the process was not done within %s".formatted(graph.deadline().orElseThrow()));
      return Outcome.TAKEN;
    }
    List<StepProgress> due =
        transition
            .state()
            .in(StepState.WAITING)
            .filter(
                progress -> progress.due().filter(at -> !transition.now().isBefore(at)).isPresent())
            .toList();
    for (StepProgress progress : due) {
      if (transition.state().status() == ProcessStatus.RUNNING) {
        waited(transition, forward, backward, graph.node(progress.node()));
      }
    }
    return due.isEmpty() ? Outcome.REPEATED : Outcome.TAKEN;
  }

  private void waited(Transition transition, Forward forward, Backward backward, Node node) {
    if (node instanceof Node.Await await) {
      transition.record(new SignalTimedOut(await.id(), await.signal()));
      backward.fail(
          FailureKind.SIGNAL_TIMED_OUT,
          "signal '%s' did not come within %s"
              .formatted(await.signal(), await.timeout().orElseThrow()));
    } else {
      transition.record(new WaitCompleted(node.id()));
      forward.enter(node.next(), scopes.of(node.id()));
    }
  }

  private static ProcessStatus status(Transition transition) {
    return transition.state().status();
  }
}
