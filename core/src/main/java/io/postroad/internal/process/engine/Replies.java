package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Advance.Verdict;
import io.postroad.internal.process.engine.Happening.Replied;
import io.postroad.internal.process.engine.Happening.Reply;
import io.postroad.process.FailureKind;
import io.postroad.process.Node;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessEvent.AttemptTimedOut;
import io.postroad.process.ProcessEvent.ConflictingReply;
import io.postroad.process.ProcessEvent.LateEffect;
import io.postroad.process.ProcessEvent.NotDone;
import io.postroad.process.ProcessEvent.StepCompleted;
import io.postroad.process.ProcessEvent.StepFailed;
import io.postroad.process.ProcessEvent.StepTimedOut;
import io.postroad.process.ProcessEvent.StepUndelivered;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepState;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What a reply means, by where the step is that its command belongs to. */
final class Replies {
  private final Turn turn;
  private final Forward forward;
  private final Backward backward;

  Replies(Turn turn, Forward forward, Backward backward) {
    this.turn = turn;
    this.forward = forward;
    this.backward = backward;
  }

  Verdict on(Replied replied) {
    Optional<StepMark> step = turn.markOf(replied.command());
    if (step.isPresent()) {
      return ofStep(step.get(), replied.command(), replied.reply());
    }
    Optional<StepMark> undone = turn.undoneBy(replied.command());
    return undone.isPresent()
        ? ofUndo(undone.get(), replied.command(), replied.reply())
        : Verdict.FOREIGN;
  }

  private Verdict ofStep(StepMark mark, UUID command, Reply reply) {
    if (reply instanceof Reply.Done done) {
      return done(mark, command, done.data());
    }
    if (turn.laws().isAwaited(mark, command)) {
      return notDone(mark, command, reply);
    }
    boolean isRunning = mark.running().contains(command);
    if (reply instanceof Reply.TimedOut late && isRunning) {
      turn.record(new AttemptTimedOut(mark.node(), command, late.maybeDone()));
      backward.carryOn();
      return Verdict.TAKEN;
    }
    if (reply instanceof Reply.Undelivered && isRunning) {
      turn.record(new AttemptTimedOut(mark.node(), command, false));
      backward.carryOn();
      return Verdict.TAKEN;
    }
    if (reply instanceof Reply.Failed && (isRunning || mark.unknown().contains(command))) {
      turn.record(new NotDone(mark.node(), command));
      backward.carryOn();
      return Verdict.TAKEN;
    }
    boolean contradicts = reply instanceof Reply.Failed && mark.done().contains(command);
    return contradicts
        ? conflicting(mark, command, "failed after it was done: " + ((Reply.Failed) reply).error())
        : Verdict.REPEATED;
  }

  private Verdict conflicting(StepMark mark, UUID command, String error) {
    turn.record(new ConflictingReply(mark.node(), command, error));
    return Verdict.CONFLICTING;
  }

  private Verdict done(StepMark mark, UUID command, Map<String, Object> data) {
    if (mark.done().contains(command)) {
      return Verdict.REPEATED;
    }
    if (mark.refused().contains(command)) {
      return conflicting(mark, command, "was done after it had failed");
    }
    return switch (mark.state()) {
      case QUEUED, RETRYING, HELD, UNKNOWN -> completed(mark, command, data);
      case WAITING -> Verdict.FOREIGN;
      case COMPLETED, FAILED, RECALLED, SKIPPED, UNDOING, UNDONE, UNDO_FAILED ->
          late(mark, command, data);
    };
  }

  /** An earlier attempt may be the one that was done; then the newer one is taken back. */
  private Verdict completed(StepMark mark, UUID command, Map<String, Object> data) {
    if (!turn.laws().isActive(turn.state())) {
      return late(mark, command, data);
    }
    if (mark.state().isSent() && !mark.command().equals(Optional.of(command))) {
      turn.effect(turn.recall(mark));
    }
    turn.record(new StepCompleted(mark.node(), command, data));
    forward.enter(turn.graph().node(mark.node()).next(), turn.scopes().of(mark.node()));
    backward.carryOn();
    return Verdict.TAKEN;
  }

  /** Another attempt of a step that was done has the same step key, and so the same effect. */
  private Verdict late(StepMark mark, UUID command, Map<String, Object> data) {
    turn.record(new LateEffect(mark.node(), command, data));
    backward.undoLate(mark.node());
    return Verdict.LATE;
  }

  private Verdict notDone(StepMark mark, UUID command, Reply reply) {
    Node.Step step = turn.step(mark);
    boolean timedOut = reply instanceof Reply.TimedOut;
    String error = error(reply).orElseGet(() -> timeout(step));
    turn.record(notDone(step.id(), command, reply, error));
    Optional<Duration> after =
        turn.state().status() == ProcessStatus.RUNNING
            ? turn.rules().retryAfter(step, error, mark.attempt() - 1)
            : Optional.empty();
    if (after.isPresent()) {
      forward.retry(step, after.get());
    } else {
      backward.fail(
          timedOut ? FailureKind.STEP_TIMED_OUT : FailureKind.STEP_FAILED,
          "step %s: %s".formatted(step.id(), error));
    }
    return Verdict.TAKEN;
  }

  private static ProcessEvent notDone(String step, UUID command, Reply reply, String error) {
    if (reply instanceof Reply.TimedOut late) {
      return new StepTimedOut(step, command, error, late.maybeDone());
    }
    return reply instanceof Reply.Undelivered
        ? new StepUndelivered(step, command, error)
        : new StepFailed(step, Optional.of(command), error);
  }

  private static Optional<String> error(Reply reply) {
    if (reply instanceof Reply.Failed failed) {
      return Optional.of(failed.error());
    }
    return reply instanceof Reply.Undelivered lost ? Optional.of(lost.error()) : Optional.empty();
  }

  /** In the word that the rules for retries look for. */
  private static String timeout(Node.Step step) {
    return "timeout: step %s was not done%s"
        .formatted(step.id(), step.timeout().map(t -> " within " + t).orElse(" in time"));
  }

  private Verdict ofUndo(StepMark mark, UUID command, Reply reply) {
    boolean awaited =
        mark.state() == StepState.UNDOING && mark.undo().filter(command::equals).isPresent();
    if (!awaited) {
      return Verdict.REPEATED;
    }
    if (reply instanceof Reply.Done done) {
      backward.undone(mark, command, done.data());
    } else {
      String error =
          error(reply)
              .orElseGet(
                  () -> "timeout: the undo of %s was not done in time".formatted(mark.node()));
      backward.undoFailed(mark, command, error);
    }
    return Verdict.TAKEN;
  }
}
