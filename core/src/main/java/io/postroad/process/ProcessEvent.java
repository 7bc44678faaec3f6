package io.postroad.process;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** An event in the log of a process. The state of a process is the sum of its events. Immutable. */
public sealed interface ProcessEvent {

  /** Returns the name of the event in the log, for example {@code StepCompleted}. */
  default String type() {
    return getClass().getSimpleName();
  }

  /** Returns the node of the event; empty for an event of the whole process. */
  default Optional<String> about() {
    return Optional.empty();
  }

  /** An event of one node. */
  sealed interface OfStep extends ProcessEvent {
    String step();

    @Override
    default Optional<String> about() {
      return Optional.of(step());
    }
  }

  /** The process was started. */
  record ProcessStarted(
      String processType,
      String businessKey,
      String definition,
      Map<String, Object> data,
      Optional<Instant> deadline)
      implements ProcessEvent {}

  /** A command was given to the bus. The request is kept for steps that can be undone. */
  record StepStarted(String step, UUID command, int attempt, Map<String, Object> request)
      implements OfStep {}

  /** The node was reached while the process was paused. */
  record StepHeld(String step) implements OfStep {}

  /** A condition was answered. */
  record ConditionEvaluated(String step, boolean result) implements OfStep {}

  /** A condition could not be answered. */
  record ConditionFailed(String step, String error) implements OfStep {}

  /** All branches of a fork were begun. */
  record BranchesStarted(String step) implements OfStep {}

  /** A branch has arrived at the join. */
  record BranchArrived(String step, int branch) implements OfStep {}

  /** All branches have arrived at the join, and their data was merged. */
  record BranchesJoined(String step) implements OfStep {}

  /** Two branches wrote a key with different values; the later one of the definition wins. */
  record DataConflict(String step, String key) implements OfStep {}

  /** A step was done. */
  record StepCompleted(String step, UUID command, Map<String, Object> data) implements OfStep {}

  /** An attempt failed; without a command, when that could not be built. */
  record StepFailed(String step, Optional<UUID> command, String error) implements OfStep {}

  /** The message of an attempt is a dead letter; an operator may still replay it. */
  record StepUndelivered(String step, UUID command, String error) implements OfStep {}

  /** An attempt was not done in time. */
  record StepTimedOut(String step, UUID command, String error, boolean maybeDone)
      implements OfStep {}

  /** The next attempt was given to the bus for later. */
  record RetryScheduled(
      String step, UUID command, int attempt, long delayMillis, Map<String, Object> request)
      implements OfStep {}

  /** The step was recalled before a handler began it; without a command if it only waited. */
  record StepRecalled(String step, Optional<UUID> command) implements OfStep {}

  /** An attempt was recalled because another one was done. */
  record AttemptRecalled(String step, UUID command) implements OfStep {}

  /** An attempt timed out after another one was done. */
  record AttemptTimedOut(String step, UUID command, boolean maybeDone) implements OfStep {}

  /** An operator skipped it. */
  record StepSkipped(String step, String actor, String reason) implements OfStep {}

  /** A wait has begun. */
  record WaitStarted(String step, Instant until) implements OfStep {}

  /** A wait has ended. */
  record WaitCompleted(String step) implements OfStep {}

  /** A wait for a signal has begun. */
  record SignalAwaited(String step, String signal, Optional<Instant> until) implements OfStep {}

  /** A signal came before the process waited for it, and is kept. */
  record SignalKept(String signal, Map<String, Object> data) implements ProcessEvent {}

  /** A signal was ignored: one is kept already for each wait to come. */
  record SignalIgnored(String signal, Map<String, Object> data) implements ProcessEvent {}

  /** The awaited signal has come. */
  record SignalReceived(String step, String signal, Map<String, Object> data) implements OfStep {}

  /** The awaited signal did not come in time. */
  record SignalTimedOut(String step, String signal) implements OfStep {}

  /** The process failed or was cancelled; queued commands are recalled, completed steps undone. */
  record ProcessCompensating(FailureKind kind, String error) implements ProcessEvent {}

  /** The command that undoes a step was given to the bus. */
  record CompensationStarted(String step, UUID command, int attempt, long delayMillis)
      implements OfStep {}

  /** A step was undone. */
  record CompensationCompleted(String step, UUID command, Map<String, Object> data)
      implements OfStep {}

  /** An attempt to undo a step failed. */
  record CompensationFailed(String step, UUID command, String error, boolean isFinal)
      implements OfStep {}

  /** An operator skipped the undo of a step. */
  record CompensationSkipped(String step, String actor, String reason) implements OfStep {}

  /** A step was done after the process had given it up; it is undone if the process is. */
  record LateEffect(String step, UUID command, Map<String, Object> data) implements OfStep {}

  /** An attempt that may have been done turned out not to be done. */
  record NotDone(String step, UUID command) implements OfStep {}

  /** A second reply contradicts the first one, which counts. */
  record ConflictingReply(String step, UUID command, String error) implements OfStep {}

  /** An operator paused the process. */
  record ProcessPaused(String actor, String reason) implements ProcessEvent {}

  /** An operator resumed the process. */
  record ProcessResumed(String actor, String reason) implements ProcessEvent {}

  /** An operator cancelled the process. */
  record ProcessCancelled(String actor, String reason) implements ProcessEvent {}

  /** An operator reopened the failed process. */
  record ProcessReopened(ProcessStatus status, String actor, String reason)
      implements ProcessEvent {}

  /**
   * A request was queued for a node that has the code of the process.
   *
   * @param verb the method of {@link ProcessManager} in capitals, for example {@code CANCEL}
   * @param target the step to skip, or the name of the signal
   * @param data the data of the signal
   */
  record RequestQueued(
      String verb,
      Optional<String> target,
      Map<String, Object> data,
      Optional<String> actor,
      Optional<String> reason)
      implements ProcessEvent {}

  /** A node applied the oldest queued request; the next entries tell the result. */
  record RequestTaken(String verb, Optional<String> target) implements ProcessEvent {}

  /** The queued request was refused and changed nothing. */
  record RequestRefused(String verb, Optional<String> target, String error)
      implements ProcessEvent {}

  /** All steps are done. */
  record ProcessCompleted(String reason) implements ProcessEvent {}

  /** All completed steps were undone. */
  record ProcessCompensated(String reason) implements ProcessEvent {}

  /** The process has failed; an operator should check it. */
  record ProcessFailed(FailureKind kind, String error) implements ProcessEvent {}
}
