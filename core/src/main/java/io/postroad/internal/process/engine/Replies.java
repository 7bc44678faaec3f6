package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Input.Replied;
import io.postroad.internal.process.engine.Input.Reply;
import io.postroad.internal.process.engine.Result.Outcome;
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

/** Applies a reply according to the state of its step. */
final class Replies {
  private final Transition transition;
  private final Forward forward;
  private final Backward backward;

  Replies(Transition transition, Forward forward, Backward backward) {
    this.transition = transition;
    this.forward = forward;
    this.backward = backward;
  }

  Outcome on(Replied replied) {
    Optional<StepProgress> step = transition.progressOf(replied.command());
    if (step.isPresent()) {
      return ofStep(step.get(), replied.command(), replied.reply());
    }
    Optional<StepProgress> undone = transition.undoneBy(replied.command());
    return undone.isPresent()
        ? ofUndo(undone.get(), replied.command(), replied.reply())
        : Outcome.FOREIGN;
  }

  private Outcome ofStep(StepProgress progress, UUID command, Reply reply) {
    if (reply instanceof Reply.Done done) {
      return done(progress, command, done.data());
    }
    if (transition.safety().isAwaited(progress, command)) {
      return notDone(progress, command, reply);
    }
    boolean isRunning = progress.running().contains(command);
    if (reply instanceof Reply.TimedOut late && isRunning) {
      transition.record(new AttemptTimedOut(progress.node(), command, late.maybeDone()));
      backward.carryOn();
      return Outcome.TAKEN;
    }
    if (reply instanceof Reply.Undelivered && isRunning) {
      transition.record(new AttemptTimedOut(progress.node(), command, false));
      backward.carryOn();
      return Outcome.TAKEN;
    }
    if (reply instanceof Reply.Failed && (isRunning || progress.unknown().contains(command))) {
      transition.record(new NotDone(progress.node(), command));
      backward.carryOn();
      return Outcome.TAKEN;
    }
    boolean contradicts = reply instanceof Reply.Failed && progress.done().contains(command);
    return contradicts
        ? conflicting(
            progress, command, "failed after it was done: " + ((Reply.Failed) reply).error())
        : Outcome.REPEATED;
  }

  private Outcome conflicting(StepProgress progress, UUID command, String error) {
    transition.record(new ConflictingReply(progress.node(), command, error));
    return Outcome.CONFLICTING;
  }

  private Outcome done(StepProgress progress, UUID command, Map<String, Object> data) {
    if (progress.done().contains(command)) {
      return Outcome.REPEATED;
    }
    if (progress.refused().contains(command)) {
      return conflicting(progress, command, "was done after it had failed");
    }
    return switch (progress.state()) {
      case QUEUED, RETRYING, HELD, UNKNOWN -> completed(progress, command, data);
      case WAITING -> Outcome.FOREIGN;
      case COMPLETED, FAILED, RECALLED, SKIPPED, UNDOING, UNDONE, UNDO_FAILED ->
          late(progress, command, data);
    };
  }

  /** Completes a step; if an earlier attempt was done, recalls the newer one. */
  private Outcome completed(StepProgress progress, UUID command, Map<String, Object> data) {
    if (!transition.safety().isActive(transition.state())) {
      return late(progress, command, data);
    }
    if (progress.state().isSent() && !progress.command().equals(Optional.of(command))) {
      transition.effect(transition.recall(progress));
    }
    transition.record(new StepCompleted(progress.node(), command, data));
    forward.enter(
        transition.graph().node(progress.node()).next(), transition.scopes().of(progress.node()));
    backward.carryOn();
    return Outcome.TAKEN;
  }

  /** Records a late reply. Attempts share a step key, so a second one has no other effect. */
  private Outcome late(StepProgress progress, UUID command, Map<String, Object> data) {
    transition.record(new LateEffect(progress.node(), command, data));
    backward.undoLate(progress.node());
    return Outcome.LATE;
  }

  private Outcome notDone(StepProgress progress, UUID command, Reply reply) {
    Node.Step step = transition.step(progress);
    boolean timedOut = reply instanceof Reply.TimedOut;
    String error = error(reply).orElseGet(() -> timeout(step));
    transition.record(notDone(step.id(), command, reply, error));
    Optional<Duration> after =
        transition.state().status() == ProcessStatus.RUNNING
            ? transition.retries().retryAfter(step, error, progress.attempt() - 1)
            : Optional.empty();
    if (after.isPresent()) {
      forward.retry(step, after.get());
    } else {
      backward.fail(
          timedOut ? FailureKind.STEP_TIMED_OUT : FailureKind.STEP_FAILED,
          "step %s: %s".formatted(step.id(), error));
    }
    return Outcome.TAKEN;
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

  /** Returns an error with the word "timeout", which the rules for retries look for. */
  private static String timeout(Node.Step step) {
    return "timeout: step %s was not done%s"
        .formatted(step.id(), step.timeout().map(t -> " within " + t).orElse(" in time"));
  }

  private Outcome ofUndo(StepProgress progress, UUID command, Reply reply) {
    boolean awaited =
        progress.state() == StepState.UNDOING
            && progress.undo().filter(command::equals).isPresent();
    if (!awaited) {
      return Outcome.REPEATED;
    }
    if (reply instanceof Reply.Done done) {
      backward.undone(progress, command, done.data());
    } else {
      String error =
          error(reply)
              .orElseGet(
                  () -> "timeout: the undo of %s was not done in time".formatted(progress.node()));
      backward.undoFailed(progress, command, error);
    }
    return Outcome.TAKEN;
  }
}
