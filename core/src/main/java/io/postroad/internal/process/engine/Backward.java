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
 * Takes back what is queued, waits for what runs, and then undoes what was done: one at a time, the
 * last one first.
 */
final class Backward {
  static final String ALL_UNDONE = "All completed steps were undone";

  private final Transition transition;

  Backward(Transition transition) {
    this.transition = transition;
  }

  /** The process cannot go on. */
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

  /** Takes back what nobody has begun; what became of commands is told later. */
  private void drain() {
    for (StepProgress progress : List.copyOf(transition.state().all())) {
      if (progress.state().isSent()) {
        transition.effect(transition.recall(progress));
      } else if (progress.state().isOpen()) {
        transition.record(new StepRecalled(progress.node(), Optional.empty()));
      }
    }
  }

  /** Undoes the next one when all that ran has ended, or ends the process when none is left. */
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
      transition.record(new ProcessFailed(state.kind().orElseThrow(), state.failure().orElseThrow()));
    }
  }

  /** What is to be undone, the next one first. */
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
    transition.whyNot(send)
        .ifPresentOrElse(
            why -> stuck(step.id(), command, "it cannot be sent: " + why), () -> transition.effect(send));
  }

  /** What the step was asked for and replied counts for more than what became of the data. */
  private Map<String, Object> input(Node.Step step, StepProgress progress) {
    Map<String, Object> view = transition.scopes().view(transition.state(), transition.scopes().of(step.id()));
    Map<String, Object> own = ProcessState.merged(progress.request(), progress.reply());
    return Binding.source(
        transition.state(), StepKeys.step(transition.state().id(), step.id()), ProcessState.merged(view, own));
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
        undo(transition.state().progress(progress.node()).orElseThrow(), retry.delayBefore(retries));
      }
    } else {
      stuck(progress.node(), command, error);
    }
  }

  /** Somebody has to look at it: what is not undone yet stays so. */
  private void stuck(String step, UUID command, String error) {
    transition.record(new CompensationFailed(step, command, error, true));
    transition.record(
        new ProcessFailed(
            FailureKind.COMPENSATION_FAILED,
            "step %s could not be undone: %s".formatted(step, error)));
  }

  /**
   * Undoes what was done after it had been given up, unless the process stays as it is, or waits
   * for somebody who looks after an undo that failed.
   */
  void undoLate(String step) {
    Optional<StepProgress> progress = transition.state().progress(step);
    if (transition.state().status() == ProcessStatus.COMPENSATING) {
      carryOn();
    } else if (progress.isPresent()
        && !transition.safety().isActive(transition.state())
        && transition.state().in(StepState.UNDO_FAILED).findAny().isEmpty()
        && transition.state().kind().isPresent()
        && !transition.state().isTerminated()
        && toUndo().contains(progress.get())) {
      undo(progress.get(), Duration.ZERO);
    }
  }
}
