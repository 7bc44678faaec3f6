package io.postroad.internal.process.engine;

import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.process.engine.Binding.CannotBindException;
import io.postroad.process.FailureKind;
import io.postroad.process.Node;
import io.postroad.process.ProcessEvent.BranchArrived;
import io.postroad.process.ProcessEvent.BranchesJoined;
import io.postroad.process.ProcessEvent.BranchesStarted;
import io.postroad.process.ProcessEvent.ConditionEvaluated;
import io.postroad.process.ProcessEvent.ConditionFailed;
import io.postroad.process.ProcessEvent.DataConflict;
import io.postroad.process.ProcessEvent.ProcessCompleted;
import io.postroad.process.ProcessEvent.RetryScheduled;
import io.postroad.process.ProcessEvent.SignalAwaited;
import io.postroad.process.ProcessEvent.SignalReceived;
import io.postroad.process.ProcessEvent.StepFailed;
import io.postroad.process.ProcessEvent.StepHeld;
import io.postroad.process.ProcessEvent.StepStarted;
import io.postroad.process.ProcessEvent.WaitStarted;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Begins steps, answers conditions, starts branches and joins them. */
final class Forward {
  static final String ALL_DONE = "All steps completed successfully";

  private final Transition transition;
  private final Backward backward;

  Forward(Transition transition, Backward backward) {
    this.transition = transition;
    this.backward = backward;
  }

  /**
   * Enters a node.
   *
   * @param id the node; empty for the end
   * @param from the branch that it is entered from
   */
  void enter(Optional<String> id, Optional<Scope> from) {
    if (!transition.safety().isGoingOn(transition.state())) {
      return;
    }
    if (id.isEmpty()) {
      transition.record(new ProcessCompleted(ALL_DONE));
      return;
    }
    Node node = transition.graph().node(id.get());
    if (node instanceof Node.Join join) {
      arrive(join, from.orElseThrow());
    } else if (transition.state().isPaused()) {
      transition.record(new StepHeld(node.id()));
    } else {
      begin(node);
    }
  }

  /** Begins the nodes that were held while the process was paused. */
  void beginHeld() {
    List<StepProgress> held = transition.state().in(StepState.HELD).toList();
    for (StepProgress progress : held) {
      if (transition.state().status() == ProcessStatus.RUNNING) {
        begin(transition.graph().node(progress.node()));
      }
    }
  }

  /** Begins a node, or begins it again. */
  void begin(Node node) {
    if (node instanceof Node.Step step) {
      start(step);
    } else if (node instanceof Node.Choice choice) {
      choose(choice);
    } else if (node instanceof Node.Fork fork) {
      fork(fork);
    } else if (node instanceof Node.Wait wait) {
      transition.record(new WaitStarted(wait.id(), transition.now().plus(wait.duration())));
    } else if (node instanceof Node.Await await) {
      await(await);
    }
  }

  private void start(Node.Step step) {
    int attempt = attemptsOf(step) + 1;
    command(step, Duration.ZERO)
        .ifPresent(
            send -> {
              transition.record(
                  new StepStarted(step.id(), send.command(), attempt, kept(step, send.payload())));
              transition.effect(send);
            });
  }

  /** Retries a step after a delay; a paused process begins it when it is resumed. */
  void retry(Node.Step step, Duration delay) {
    if (transition.state().isPaused()) {
      transition.record(new StepHeld(step.id()));
      return;
    }
    int attempts = attemptsOf(step);
    command(step, delay)
        .ifPresent(
            send -> {
              transition.record(
                  new RetryScheduled(
                      step.id(),
                      send.command(),
                      attempts + 1,
                      delay.toMillis(),
                      kept(step, send.payload())));
              transition.effect(send);
            });
  }

  /** Returns the next command of a step, or fails the step when it cannot be sent. */
  private Optional<Effect.Send> command(Node.Step step, Duration delay) {
    Optional<Effect.Send> made = bound(step).map(payload -> send(step, payload, delay));
    Optional<String> why = made.flatMap(transition::whyNot);
    why.ifPresent(reason -> unmade(step, "it cannot be sent: " + reason));
    return why.isPresent() ? Optional.empty() : made;
  }

  private int attemptsOf(Node.Step step) {
    return transition.state().progress(step.id()).map(StepProgress::attempt).orElse(0);
  }

  /** Returns the payload of a step, or fails the step when data is missing. */
  private Optional<Map<String, Object>> bound(Node.Step step) {
    try {
      return Optional.of(
          payload(transition.graph(), transition.scopes(), transition.state(), step));
    } catch (CannotBindException missing) {
      unmade(step, Objects.requireNonNull(missing.getMessage()));
    } catch (RuntimeException | Error broken) {
      unmade(step, "the input of %s failed: %s".formatted(step.id(), ErrorText.of(broken)));
    }
    return Optional.empty();
  }

  private static Map<String, Object> payload(
      ProcessGraph graph, Scopes scopes, ProcessState state, Node.Step step)
      throws CannotBindException {
    Map<String, Object> view = scopes.view(state, scopes.of(step.id()));
    Map<String, Object> data =
        step.isInputDerived() ? ProcessState.merged(view, graph.input(step).apply(view)) : view;
    Map<String, Object> source = Binding.source(state, StepKeys.step(state.id(), step.id()), data);
    return Binding.payload(step.command(), step.fields(), source);
  }

  private void unmade(Node.Step step, String error) {
    transition.record(new StepFailed(step.id(), Optional.empty(), error));
    backward.fail(FailureKind.STEP_FAILED, "step %s: %s".formatted(step.id(), error));
  }

  /** Keeps the request of a step that can be undone: the data may change until then. */
  private static Map<String, Object> kept(Node.Step step, Map<String, Object> payload) {
    return step.undo().isPresent() ? payload : Map.of();
  }

  private Effect.Send send(Node.Step step, Map<String, Object> payload, Duration delay) {
    int number =
        transition.state().progress(step.id()).map(progress -> progress.commands().size()).orElse(0)
            + 1;
    return send(transition.state(), step, number, transition.newId(), payload, delay);
  }

  /** Builds a command again; a step that can be undone has kept its request. */
  static Effect.Send again(
      ProcessGraph graph, Scopes scopes, ProcessState state, Node.Step step, UUID command)
      throws CannotBindException {
    StepProgress progress = state.progressOf(command).orElseThrow();
    Map<String, Object> payload =
        step.undo().isPresent()
            ? progress.forUndo().request()
            : payload(graph, scopes, state, step);
    int number = progress.commands().indexOf(command) + 1;
    return send(state, step, number, command, payload, Duration.ZERO);
  }

  private static Effect.Send send(
      ProcessState state,
      Node.Step step,
      int number,
      UUID command,
      Map<String, Object> payload,
      Duration delay) {
    return new Effect.Send(
        command,
        step.command(),
        StepKeys.attempt(state.id(), step.id(), number),
        step.id(),
        false,
        payload,
        delay,
        step.timeout().map(delay::plus));
  }

  private void choose(Node.Choice choice) {
    Optional<Scope> scope = transition.scopes().of(choice.id());
    boolean answer;
    try {
      answer = transition.decide(choice, transition.scopes().view(transition.state(), scope));
    } catch (RuntimeException | Error broken) {
      String error = "condition %s failed: %s".formatted(choice.id(), ErrorText.of(broken));
      transition.record(new ConditionFailed(choice.id(), error));
      backward.fail(FailureKind.CONDITION_FAILED, error);
      return;
    }
    transition.record(new ConditionEvaluated(choice.id(), answer));
    enter(answer ? choice.whenTrue() : choice.whenFalse(), scope);
  }

  private void fork(Node.Fork fork) {
    transition.record(new BranchesStarted(fork.id()));
    Optional<Scope> outer = transition.scopes().of(fork.id());
    for (int branch = 0; branch < fork.branches().size(); branch++) {
      enter(
          Optional.of(fork.branches().get(branch)),
          Optional.of(new Scope(fork.id(), branch, outer)));
    }
  }

  private void arrive(Node.Join join, Scope from) {
    transition.record(new BranchArrived(join.id(), from.branch()));
    Node.Fork fork = (Node.Fork) transition.graph().node(join.fork());
    List<Integer> arrived = transition.state().arrived(join.id());
    if (transition.safety().isJoinComplete(fork, arrived)
        && transition.safety().mayJoin(transition.state(), join)) {
      for (String key : conflicts(fork)) {
        transition.record(new DataConflict(join.id(), key));
      }
      transition.record(new BranchesJoined(join.id()));
      enter(join.next(), transition.scopes().of(join.id()));
    }
  }

  /** Returns the keys that two branches wrote with different values. */
  private Set<String> conflicts(Node.Fork fork) {
    Optional<Scope> outer = transition.scopes().of(fork.id());
    Map<String, Object> written = new HashMap<>();
    Set<String> conflicts = new TreeSet<>();
    for (int branch = 0; branch < fork.branches().size(); branch++) {
      Map<String, Object> data = transition.state().branch(new Scope(fork.id(), branch, outer));
      data.forEach(
          (key, value) -> {
            Object other = written.putIfAbsent(key, value);
            if (other != null && !other.equals(value)) {
              conflicts.add(key);
            }
          });
    }
    return conflicts;
  }

  private void await(Node.Await await) {
    List<Map<String, Object>> early = transition.state().early(await.signal());
    if (early.isEmpty()) {
      transition.record(
          new SignalAwaited(
              await.id(), await.signal(), await.timeout().map(transition.now()::plus)));
    } else {
      transition.record(new SignalReceived(await.id(), await.signal(), early.get(0)));
      enter(await.next(), transition.scopes().of(await.id()));
    }
  }
}
