package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Advance.Verdict;
import io.postroad.internal.process.engine.Happening.Operated;
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

/** What an operator does to a process. What is not possible is refused and changes nothing. */
final class Operation {
  private static final String PAUSED = "is paused: resume it first";

  private final Turn turn;
  private final Forward forward;
  private final Backward backward;
  private final Gaps gaps;

  Operation(Turn turn, Forward forward, Backward backward) {
    this.turn = turn;
    this.forward = forward;
    this.backward = backward;
    this.gaps = new Gaps(turn);
  }

  Verdict on(Operated operated) {
    return switch (operated.verb()) {
      case PAUSE -> pause(operated);
      case RESUME -> resume(operated);
      case CANCEL -> cancel(operated);
      case TERMINATE -> terminate(operated);
      case RETRY -> retry(operated);
      case SKIP -> skip(operated);
    };
  }

  private Verdict pause(Operated by) {
    if (!isActive()) {
      return refuse("has ended and cannot be paused");
    }
    if (turn.state().isPaused()) {
      return Verdict.REPEATED;
    }
    turn.record(new ProcessPaused(by.actor(), by.reason()));
    return Verdict.TAKEN;
  }

  private Verdict resume(Operated by) {
    if (!turn.state().isPaused()) {
      return isActive() ? Verdict.REPEATED : refuse("has ended and cannot be resumed");
    }
    turn.record(new ProcessResumed(by.actor(), by.reason()));
    forward.beginHeld();
    backward.carryOn();
    return Verdict.TAKEN;
  }

  private Verdict cancel(Operated by) {
    if (turn.state().status() == ProcessStatus.COMPENSATING) {
      return refuse("is being undone already");
    }
    if (!isActive()) {
      return refuse("has ended and cannot be cancelled");
    }
    if (turn.laws().isPastNoReturn(turn.graph(), turn.state())) {
      return refuse(
          "is past its point of no return: nothing would be undone; terminate it instead");
    }
    turn.record(new ProcessCancelled(by.actor(), by.reason()));
    backward.fail(FailureKind.CANCELLED, "cancelled: " + by.reason());
    return Verdict.TAKEN;
  }

  /** Ends it where it stands: what is queued is taken back, nothing is undone. */
  private Verdict terminate(Operated by) {
    if (!isActive()) {
      return refuse("has ended and cannot be terminated");
    }
    for (StepMark mark : turn.state().all()) {
      if (mark.state().isSent()) {
        turn.effect(turn.recall(mark));
      } else if (mark.state() == StepState.UNDOING) {
        turn.effect(turn.recallUndo(mark));
      }
    }
    turn.record(
        new ProcessFailed(
            FailureKind.TERMINATED, "terminated by %s: %s".formatted(by.actor(), by.reason())));
    return Verdict.TAKEN;
  }

  private Verdict retry(Operated by) {
    if (turn.state().isPaused()) {
      return refuse(PAUSED);
    }
    boolean isStuck = turn.state().in(StepState.UNDO_FAILED).findAny().isPresent();
    if (isFailed() && isStuck && !turn.state().isTerminated()) {
      turn.record(new ProcessReopened(ProcessStatus.COMPENSATING, by.actor(), by.reason()));
      backward.carryOn();
      return Verdict.TAKEN;
    }
    return whyNotReopened().map(this::refuse).orElseGet(() -> reopen(by, Optional.empty()));
  }

  private Verdict skip(Operated by) {
    Optional<StepMark> mark = by.step().flatMap(turn.state()::mark);
    if (mark.isEmpty()) {
      return refuse("has not come to step '%s'".formatted(by.step().orElse("")));
    }
    if (mark.get().state() == StepState.WAITING && isActive()) {
      turn.record(new StepSkipped(mark.get().node(), by.actor(), by.reason()));
      goOnFrom(mark.get().node());
      return Verdict.TAKEN;
    }
    if (turn.state().isPaused()) {
      return refuse(PAUSED);
    }
    if (isFailed() && turn.state().isTerminated()) {
      return refuse(whyNotReopened().orElseThrow());
    }
    if (isFailed() && mark.get().state() == StepState.UNDO_FAILED) {
      turn.record(new ProcessReopened(ProcessStatus.COMPENSATING, by.actor(), by.reason()));
      turn.record(new CompensationSkipped(mark.get().node(), by.actor(), by.reason()));
      backward.carryOn();
      return Verdict.TAKEN;
    }
    if (!mark.get().state().isGivenUp()) {
      return refuse(
          "cannot go on without step '%s': it is %s"
              .formatted(mark.get().node(), mark.get().state()));
    }
    return whyNotReopened()
        .or(() -> whyNotWithout(mark.get()))
        .map(this::refuse)
        .orElseGet(() -> reopen(by, mark));
  }

  /** Behind a condition or a fork there is no one way to go on. */
  private Optional<String> whyNotWithout(StepMark mark) {
    Node node = turn.graph().node(mark.node());
    return node instanceof Node.Choice || node instanceof Node.Fork
        ? Optional.of(
            "cannot go on without '%s', which decides the way: retry it instead"
                .formatted(node.id()))
        : Optional.empty();
  }

  /**
   * What failed or was taken back is begun again, except for what is skipped; and what was done
   * after the process had failed is gone on from.
   */
  private Verdict reopen(Operated by, Optional<StepMark> skipped) {
    List<StepMark> again =
        turn.state().all().stream()
            .filter(mark -> mark.state().isGivenUp())
            .filter(mark -> !Optional.of(mark).equals(skipped))
            .toList();
    List<Gaps.Gap> left = gaps.all();
    turn.record(new ProcessReopened(ProcessStatus.RUNNING, by.actor(), by.reason()));
    skipped.ifPresent(mark -> turn.record(new StepSkipped(mark.node(), by.actor(), by.reason())));
    for (StepMark mark : again) {
      if (turn.state().status() == ProcessStatus.RUNNING) {
        forward.begin(turn.graph().node(mark.node()));
      }
    }
    skipped.ifPresent(mark -> goOnFrom(mark.node()));
    left.forEach(gap -> forward.enter(gap.next(), gap.from()));
    return Verdict.TAKEN;
  }

  private void goOnFrom(String node) {
    forward.enter(turn.graph().node(node).next(), turn.scopes().of(node));
  }

  private Optional<String> whyNotReopened() {
    ProcessState state = turn.state();
    if (!isFailed()) {
      return Optional.of(
          "is %s: only a step of a process that has FAILED can be tried again or skipped"
              .formatted(state.status()));
    }
    FailureKind kind = state.kind().orElseThrow();
    boolean isCancelled =
        kind == FailureKind.CANCELLED && !turn.laws().isPastNoReturn(turn.graph(), state);
    if (kind == FailureKind.TERMINATED || isCancelled) {
      return Optional.of("was ended by an operator (%s) and stays so".formatted(kind));
    }
    if (turn.laws().hasBegunToUndo(state)) {
      return Optional.of("has steps that were undone and cannot go on");
    }
    return state.all().stream().noneMatch(mark -> mark.state().isGivenUp()) && gaps.all().isEmpty()
        ? Optional.of("has no step that could be tried again")
        : Optional.empty();
  }

  private boolean isActive() {
    return turn.laws().isActive(turn.state());
  }

  private boolean isFailed() {
    return turn.state().status() == ProcessStatus.FAILED;
  }

  private Verdict refuse(String why) {
    return turn.refuse("process %s %s".formatted(turn.state().id(), why));
  }
}
