package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Binding.CannotBindException;
import io.postroad.process.FailureKind;
import io.postroad.process.Node;
import io.postroad.process.ProcessEvent.CompensationCompleted;
import io.postroad.process.ProcessEvent.CompensationFailed;
import io.postroad.process.ProcessEvent.CompensationStarted;
import io.postroad.process.ProcessEvent.ProcessCompensated;
import io.postroad.process.ProcessEvent.ProcessCompensating;
import io.postroad.process.ProcessEvent.ProcessFailed;
import io.postroad.process.ProcessEvent.StepRecalled;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepRetry;
import io.postroad.process.StepState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Recalls queued commands, waits for running ones, and then undoes completed steps, one at a time,
 * the last one first.
 */
final class Backward {
  static final String ALL_UNDONE = "All completed steps were undone";

  private final Transition transition;

  Backward(Transition transition) {
    this.transition = transition;
  }

  /** Fails the process: undoes its steps, or ends it if there is nothing to undo. */
  void fail(FailureKind kind, String error) {
    if (transition.state().status() != ProcessStatus.RUNNING) {
      carryOn();
      return;
    }
    if (isNothingUnderWay() && toUndo().isEmpty()) {
      transition.record(new ProcessFailed(kind, error));
      return;
    }
    transition.record(new ProcessCompensating(kind, error));
    drain();
    carryOn();
  }

  private boolean isNothingUnderWay() {
    return transition.state().all().stream().noneMatch(progress -> progress.state().isOpen());
  }

  /** Recalls everything that has not begun; a later input tells the fate of each command. */
  private void drain() {
    for (StepProgress progress : List.copyOf(transition.state().all())) {
      if (progress.state().isSent()) {
        transition.effect(transition.recall(progress));
      } else if (progress.state().isOpen()) {
        transition.record(new StepRecalled(progress.node(), Optional.empty()));
      }
    }
  }

  /** Undoes the next step once no command runs, or ends the process when none is left. */
  void carryOn() {
    ProcessState state = transition.state();
    if (!transition.safety().isUndoing(state)
        || state.isPaused()
        || !transition.safety().isDrained(state)
        || state.in(StepState.UNDOING).findAny().isPresent()) {
      return;
    }
    List<StepProgress> left = toUndo();
    if (!left.isEmpty()) {
      undo(left.get(0), Duration.ZERO);
    } else if (state.in(StepState.UNDONE).findAny().isPresent()
        && !transition.safety().isPastNoReturn(transition.graph(), state)) {
      transition.record(new ProcessCompensated(ALL_UNDONE));
    } else {
      Snapshot.Failure failure = state.failure().orElseThrow();
      transition.record(new ProcessFailed(failure.kind(), failure.text()));
    }
  }

  /** Returns the steps that must be undone, the next one first. */
  List<StepProgress> toUndo() {
    if (transition.safety().isPastNoReturn(transition.graph(), transition.state())
        && !transition.safety().hasBegunToUndo(transition.state())) {
      return List.of();
    }
    return transition.state().all().stream()
        .filter(
            progress ->
                transition.graph().node(progress.node()) instanceof Node.Step step
                    && transition.safety().isToUndo(transition.state(), step, progress))
        .sorted(transition.safety().undoOrder())
        .toList();
  }

  /** Sends the command that undoes a step. */
  void undo(StepProgress progress, Duration delay) {
    Node.Step step = transition.step(progress);
    Node.Undo undo = step.undo().orElseThrow();
    UUID command = transition.newId();
    int attempt = progress.undos().size() + 1;
    Map<String, Object> payload;
    transition.record(new CompensationStarted(step.id(), command, attempt, delay.toMillis()));
    try {
      payload = Binding.payload(undo.command(), undo.fields(), input(step, progress));
    } catch (CannotBindException missing) {
      stuck(step.id(), command, Objects.requireNonNull(missing.getMessage()));
      return;
    }
    Effect.Send send =
        new Effect.Send(
            command,
            undo.command(),
            StepKeys.undo(transition.state().id(), step.id(), attempt),
            step.id(),
            true,
            payload,
            delay,
            undo.timeout().map(delay::plus));
    transition
        .whyNot(send)
        .ifPresentOrElse(
            why -> stuck(step.id(), command, "it cannot be sent: " + why),
            () -> transition.effect(send));
  }

  /** Prefers the request and the reply of the step to the present data of the process. */
  private Map<String, Object> input(Node.Step step, StepProgress progress) {
    Map<String, Object> view =
        transition.scopes().view(transition.state(), transition.scopes().of(step.id()));
    Map<String, Object> own =
        ProcessState.merged(progress.forUndo().request(), progress.forUndo().reply());
    return Binding.source(
        transition.state(),
        StepKeys.step(transition.state().id(), step.id()),
        ProcessState.merged(view, own));
  }

  void undone(StepProgress progress, UUID command, Map<String, Object> data) {
    transition.record(new CompensationCompleted(progress.node(), command, data));
    undoLate(progress.node());
  }

  void undoFailed(StepProgress progress, UUID command, String error) {
    StepRetry retry = transition.retries().undo();
    int retries = progress.undos().size() - 1;
    if (transition.state().isTerminated() || retries < retry.maxRetries()) {
      transition.record(new CompensationFailed(progress.node(), command, error, false));
      if (!transition.state().isPaused() && !transition.state().isTerminated()) {
        undo(
            transition.state().progress(progress.node()).orElseThrow(), retry.delayBefore(retries));
      }
    } else {
      stuck(progress.node(), command, error);
    }
  }

  /** Ends the process for an operator to look at; no further step is undone. */
  private void stuck(String step, UUID command, String error) {
    transition.record(new CompensationFailed(step, command, error, true));
    transition.record(
        new ProcessFailed(
            FailureKind.COMPENSATION_FAILED,
            "step %s could not be undone: %s".formatted(step, error)));
  }

  /**
   * Undoes a step that was done after the process had given it up, unless the process was
   * terminated or waits for an operator because another undo failed.
   */
  void undoLate(String step) {
    Optional<StepProgress> progress = transition.state().progress(step);
    if (transition.state().status() == ProcessStatus.COMPENSATING) {
      carryOn();
    } else if (progress.isPresent()
        && !transition.safety().isActive(transition.state())
        && transition.state().in(StepState.UNDO_FAILED).findAny().isEmpty()
        && transition.state().failure().isPresent()
        && !transition.state().isTerminated()
        && toUndo().contains(progress.get())) {
      undo(progress.get(), Duration.ZERO);
    }
  }
}
