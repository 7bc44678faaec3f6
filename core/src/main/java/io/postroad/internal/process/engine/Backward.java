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

  private final Turn turn;

  Backward(Turn turn) {
    this.turn = turn;
  }

  /** The process cannot go on. */
  void fail(FailureKind kind, String error) {
    if (turn.state().status() != ProcessStatus.RUNNING) {
      carryOn();
      return;
    }
    if (isNothingUnderWay() && toUndo().isEmpty()) {
      turn.record(new ProcessFailed(kind, error));
      return;
    }
    turn.record(new ProcessCompensating(kind, error));
    drain();
    carryOn();
  }

  private boolean isNothingUnderWay() {
    return turn.state().all().stream().noneMatch(mark -> mark.state().isOpen());
  }

  /** Takes back what nobody has begun; what became of commands is told later. */
  private void drain() {
    for (StepMark mark : List.copyOf(turn.state().all())) {
      if (mark.state().isSent()) {
        turn.effect(turn.recall(mark));
      } else if (mark.state().isOpen()) {
        turn.record(new StepRecalled(mark.node(), Optional.empty()));
      }
    }
  }

  /** Undoes the next one when all that ran has ended, or ends the process when none is left. */
  void carryOn() {
    ProcessState state = turn.state();
    if (!turn.laws().isUndoing(state)
        || state.isPaused()
        || !turn.laws().isDrained(state)
        || state.in(StepState.UNDOING).findAny().isPresent()) {
      return;
    }
    List<StepMark> left = toUndo();
    if (!left.isEmpty()) {
      undo(left.get(0), Duration.ZERO);
    } else if (state.in(StepState.UNDONE).findAny().isPresent()
        && !turn.laws().isPastNoReturn(turn.graph(), state)) {
      turn.record(new ProcessCompensated(ALL_UNDONE));
    } else {
      turn.record(new ProcessFailed(state.kind().orElseThrow(), state.failure().orElseThrow()));
    }
  }

  /** What is to be undone, the next one first. */
  List<StepMark> toUndo() {
    if (turn.laws().isPastNoReturn(turn.graph(), turn.state())
        && !turn.laws().hasBegunToUndo(turn.state())) {
      return List.of();
    }
    return turn.state().all().stream()
        .filter(
            mark ->
                turn.graph().node(mark.node()) instanceof Node.Step step
                    && turn.laws().isToUndo(turn.state(), step, mark))
        .sorted(turn.laws().undoOrder())
        .toList();
  }

  /** Sends the command that undoes a step. */
  void undo(StepMark mark, Duration delay) {
    Node.Step step = turn.step(mark);
    Node.Undo undo = step.undo().orElseThrow();
    UUID command = turn.newId();
    int attempt = mark.undos().size() + 1;
    Map<String, Object> payload;
    turn.record(new CompensationStarted(step.id(), command, attempt, delay.toMillis()));
    try {
      payload = Binding.payload(undo.command(), undo.fields(), input(step, mark));
    } catch (CannotBindException missing) {
      stuck(step.id(), command, Objects.requireNonNull(missing.getMessage()));
      return;
    }
    Effect.Send send =
        new Effect.Send(
            command,
            undo.command(),
            StepKeys.undo(turn.state().id(), step.id(), attempt),
            step.id(),
            true,
            payload,
            delay,
            undo.timeout().map(delay::plus));
    turn.whyNot(send)
        .ifPresentOrElse(
            why -> stuck(step.id(), command, "it cannot be sent: " + why), () -> turn.effect(send));
  }

  /** What the step was asked for and replied counts for more than what became of the data. */
  private Map<String, Object> input(Node.Step step, StepMark mark) {
    Map<String, Object> view = turn.scopes().view(turn.state(), turn.scopes().of(step.id()));
    Map<String, Object> own = ProcessState.merged(mark.request(), mark.reply());
    return Binding.source(
        turn.state(), StepKeys.step(turn.state().id(), step.id()), ProcessState.merged(view, own));
  }

  void undone(StepMark mark, UUID command, Map<String, Object> data) {
    turn.record(new CompensationCompleted(mark.node(), command, data));
    undoLate(mark.node());
  }

  void undoFailed(StepMark mark, UUID command, String error) {
    StepRetry retry = turn.rules().undo();
    int retries = mark.undos().size() - 1;
    if (turn.state().isTerminated() || retries < retry.maxRetries()) {
      turn.record(new CompensationFailed(mark.node(), command, error, false));
      if (!turn.state().isPaused() && !turn.state().isTerminated()) {
        undo(turn.state().mark(mark.node()).orElseThrow(), retry.delayBefore(retries));
      }
    } else {
      stuck(mark.node(), command, error);
    }
  }

  /** Somebody has to look at it: what is not undone yet stays so. */
  private void stuck(String step, UUID command, String error) {
    turn.record(new CompensationFailed(step, command, error, true));
    turn.record(
        new ProcessFailed(
            FailureKind.COMPENSATION_FAILED,
            "step %s could not be undone: %s".formatted(step, error)));
  }

  /**
   * Undoes what was done after it had been given up, unless the process stays as it is, or waits
   * for somebody who looks after an undo that failed.
   */
  void undoLate(String step) {
    Optional<StepMark> mark = turn.state().mark(step);
    if (turn.state().status() == ProcessStatus.COMPENSATING) {
      carryOn();
    } else if (mark.isPresent()
        && !turn.laws().isActive(turn.state())
        && turn.state().in(StepState.UNDO_FAILED).findAny().isEmpty()
        && turn.state().kind().isPresent()
        && !turn.state().isTerminated()
        && toUndo().contains(mark.get())) {
      undo(mark.get(), Duration.ZERO);
    }
  }
}
