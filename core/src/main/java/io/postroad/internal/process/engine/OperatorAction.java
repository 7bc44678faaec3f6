package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Input.Operated;
import io.postroad.internal.process.engine.Result.Outcome;
import io.postroad.process.FailureKind;
import io.postroad.process.Node;
import io.postroad.process.ProcessEvent.CompensationSkipped;
import io.postroad.process.ProcessEvent.ProcessCancelled;
import io.postroad.process.ProcessEvent.ProcessFailed;
import io.postroad.process.ProcessEvent.ProcessPaused;
import io.postroad.process.ProcessEvent.ProcessReopened;
import io.postroad.process.ProcessEvent.ProcessResumed;
import io.postroad.process.ProcessEvent.StepSkipped;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepState;
import java.util.List;
import java.util.Optional;

/** Applies the requests of operators. A refused request changes nothing. */
final class OperatorAction {
  private static final String PAUSED = "is paused: resume it first";

  private final Transition transition;
  private final Forward forward;
  private final Backward backward;
  private final ResumePoints points;

  OperatorAction(Transition transition, Forward forward, Backward backward) {
    this.transition = transition;
    this.forward = forward;
    this.backward = backward;
    this.points = new ResumePoints(transition);
  }

  Outcome on(Operated operated) {
    return switch (operated.verb()) {
      case PAUSE -> pause(operated);
      case RESUME -> resume(operated);
      case CANCEL -> cancel(operated);
      case TERMINATE -> terminate(operated);
      case RETRY -> retry(operated);
      case SKIP -> skip(operated);
    };
  }

  private Outcome pause(Operated by) {
    if (!isActive()) {
      return refuse("has ended and cannot be paused");
    }
    if (transition.state().isPaused()) {
      return Outcome.REPEATED;
    }
    transition.record(new ProcessPaused(by.actor(), by.reason()));
    return Outcome.TAKEN;
  }

  private Outcome resume(Operated by) {
    if (!transition.state().isPaused()) {
      return isActive() ? Outcome.REPEATED : refuse("has ended and cannot be resumed");
    }
    transition.record(new ProcessResumed(by.actor(), by.reason()));
    forward.beginHeld();
    backward.carryOn();
    return Outcome.TAKEN;
  }

  private Outcome cancel(Operated by) {
    if (transition.state().status() == ProcessStatus.COMPENSATING) {
      return refuse("is being undone already");
    }
    if (!isActive()) {
      return refuse("has ended and cannot be cancelled");
    }
    if (transition.safety().isPastNoReturn(transition.graph(), transition.state())) {
      return refuse(
          "is past its point of no return: nothing would be undone; terminate it instead");
    }
    transition.record(new ProcessCancelled(by.actor(), by.reason()));
    backward.fail(FailureKind.CANCELLED, "cancelled: " + by.reason());
    return Outcome.TAKEN;
  }

  /** Ends the process at once: recalls queued commands and undoes nothing. */
  private Outcome terminate(Operated by) {
    if (!isActive()) {
      return refuse("has ended and cannot be terminated");
    }
    for (StepProgress progress : transition.state().all()) {
      if (progress.state().isSent()) {
        transition.effect(transition.recall(progress));
      } else if (progress.state() == StepState.UNDOING) {
        transition.effect(transition.recallUndo(progress));
      }
    }
    transition.record(
        new ProcessFailed(
            FailureKind.TERMINATED, "terminated by %s: %s".formatted(by.actor(), by.reason())));
    return Outcome.TAKEN;
  }

  private Outcome retry(Operated by) {
    if (transition.state().isPaused()) {
      return refuse(PAUSED);
    }
    boolean isStuck = transition.state().in(StepState.UNDO_FAILED).findAny().isPresent();
    if (isFailed() && isStuck && !transition.state().isTerminated()) {
      transition.record(new ProcessReopened(ProcessStatus.COMPENSATING, by.actor(), by.reason()));
      backward.carryOn();
      return Outcome.TAKEN;
    }
    return whyNotReopened().map(this::refuse).orElseGet(() -> reopen(by, Optional.empty()));
  }

  private Outcome skip(Operated by) {
    Optional<StepProgress> progress = by.step().flatMap(transition.state()::progress);
    if (progress.isEmpty()) {
      return refuse("has not come to step '%s'".formatted(by.step().orElse("")));
    }
    if (progress.get().state() == StepState.WAITING && isActive()) {
      transition.record(new StepSkipped(progress.get().node(), by.actor(), by.reason()));
      goOnFrom(progress.get().node());
      return Outcome.TAKEN;
    }
    if (transition.state().isPaused()) {
      return refuse(PAUSED);
    }
    if (isFailed() && transition.state().isTerminated()) {
      return refuse(whyNotReopened().orElseThrow());
    }
    if (isFailed() && progress.get().state() == StepState.UNDO_FAILED) {
      transition.record(new ProcessReopened(ProcessStatus.COMPENSATING, by.actor(), by.reason()));
      transition.record(new CompensationSkipped(progress.get().node(), by.actor(), by.reason()));
      backward.carryOn();
      return Outcome.TAKEN;
    }
    if (!progress.get().state().isGivenUp()) {
      return refuse(
          "cannot go on without step '%s': it is %s"
              .formatted(progress.get().node(), progress.get().state()));
    }
    return whyNotReopened()
        .or(() -> whyNotWithout(progress.get()))
        .map(this::refuse)
        .orElseGet(() -> reopen(by, progress));
  }

  /** Refuses to skip a condition or a fork: several ways lead on from there. */
  private Optional<String> whyNotWithout(StepProgress progress) {
    Node node = transition.graph().node(progress.node());
    return node instanceof Node.Choice || node instanceof Node.Fork
        ? Optional.of(
            "cannot go on without '%s', which decides the way: retry it instead"
                .formatted(node.id()))
        : Optional.empty();
  }

  /**
   * Begins failed and recalled steps again, except for the skipped one, and continues from steps
   * that were done after the process had failed.
   */
  private Outcome reopen(Operated by, Optional<StepProgress> skipped) {
    List<StepProgress> again =
        transition.state().all().stream()
            .filter(progress -> progress.state().isGivenUp())
            .filter(progress -> !Optional.of(progress).equals(skipped))
            .toList();
    List<ResumePoints.ResumePoint> left = points.all();
    transition.record(new ProcessReopened(ProcessStatus.RUNNING, by.actor(), by.reason()));
    skipped.ifPresent(
        progress -> transition.record(new StepSkipped(progress.node(), by.actor(), by.reason())));
    for (StepProgress progress : again) {
      if (transition.state().status() == ProcessStatus.RUNNING) {
        forward.begin(transition.graph().node(progress.node()));
      }
    }
    skipped.ifPresent(progress -> goOnFrom(progress.node()));
    left.forEach(point -> forward.enter(point.next(), point.from()));
    return Outcome.TAKEN;
  }

  private void goOnFrom(String node) {
    forward.enter(transition.graph().node(node).next(), transition.scopes().of(node));
  }

  private Optional<String> whyNotReopened() {
    ProcessState state = transition.state();
    if (!isFailed()) {
      return Optional.of(
          "is %s: only a step of a process that has FAILED can be tried again or skipped"
              .formatted(state.status()));
    }
    FailureKind kind = state.failure().orElseThrow().kind();
    boolean isCancelled =
        kind == FailureKind.CANCELLED
            && !transition.safety().isPastNoReturn(transition.graph(), state);
    if (kind == FailureKind.TERMINATED || isCancelled) {
      return Optional.of("was ended by an operator (%s) and stays so".formatted(kind));
    }
    if (transition.safety().hasBegunToUndo(state)) {
      return Optional.of("has steps that were undone and cannot go on");
    }
    return state.all().stream().noneMatch(progress -> progress.state().isGivenUp())
            && points.all().isEmpty()
        ? Optional.of("has no step that could be tried again")
        : Optional.empty();
  }

  private boolean isActive() {
    return transition.safety().isActive(transition.state());
  }

  private boolean isFailed() {
    return transition.state().status() == ProcessStatus.FAILED;
  }

  private Outcome refuse(String why) {
    return transition.refuse("process %s %s".formatted(transition.state().id(), why));
  }
}
