package io.postroad.process;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A line of a process's log: something that happened to it. Where a process stands is what its
 * events add up to, in order. Immutable.
 */
public sealed interface ProcessEvent {

  /** The name under which it is kept, for example {@code StepCompleted}. */
  default String type() {
    return getClass().getSimpleName();
  }

  /** The node it is about; empty for one about the process as a whole. */
  default Optional<String> about() {
    return Optional.empty();
  }

  /** An event about one node. */
  sealed interface OfStep extends ProcessEvent {
    String step();

    @Override
    default Optional<String> about() {
      return Optional.of(step());
    }
  }

  /** It exists. */
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

  /** It was reached while the process is paused. */
  record StepHeld(String step) implements OfStep {}

  /** A condition was answered. */
  record ConditionEvaluated(String step, boolean result) implements OfStep {}

  /** A condition could not be answered. */
  record ConditionFailed(String step, String error) implements OfStep {}

  /** All branches of a fork were begun. */
  record BranchesStarted(String step) implements OfStep {}

  /** A branch has come to the join. */
  record BranchArrived(String step, int branch) implements OfStep {}

  /** All branches are at the join, and their data is merged. */
  record BranchesJoined(String step) implements OfStep {}

  /** Two branches wrote a key with different values; the later one of the definition counts. */
  record DataConflict(String step, String key) implements OfStep {}

  /** A step was done. */
  record StepCompleted(String step, UUID command, Map<String, Object> data) implements OfStep {}

  /** An attempt failed; the command is empty when there was none, because it could not be made. */
  record StepFailed(String step, Optional<UUID> command, String error) implements OfStep {}

  /** The message of an attempt is a dead letter; an operator may replay it, and it is done late. */
  record StepUndelivered(String step, UUID command, String error) implements OfStep {}

  /** An attempt was not done in time. */
  record StepTimedOut(String step, UUID command, String error, boolean maybeDone)
      implements OfStep {}

  /** The next attempt was given to the bus for later. */
  record RetryScheduled(
      String step, UUID command, int attempt, long delayMillis, Map<String, Object> request)
      implements OfStep {}

  /** It was taken back before anybody had begun it; there is no command where it only waited. */
  record StepRecalled(String step, Optional<UUID> command) implements OfStep {}

  /** An attempt was taken back that is not needed, because another one was done. */
  record AttemptRecalled(String step, UUID command) implements OfStep {}

  /** An attempt was not done in time that is not needed, because another one was done. */
  record AttemptTimedOut(String step, UUID command, boolean maybeDone) implements OfStep {}

  /** An operator went on without it. */
  record StepSkipped(String step, String actor, String reason) implements OfStep {}

  /** A time is waited for. */
  record WaitStarted(String step, Instant until) implements OfStep {}

  /** The time is over. */
  record WaitCompleted(String step) implements OfStep {}

  /** A signal is waited for. */
  record SignalAwaited(String step, String signal, Optional<Instant> until) implements OfStep {}

  /** A signal came before the process waits for it; kept in order. */
  record SignalKept(String signal, Map<String, Object> data) implements ProcessEvent {}

  /** A signal came early, and as many are kept as there are waits for it: it changes nothing. */
  record SignalIgnored(String signal, Map<String, Object> data) implements ProcessEvent {}

  /** The signal is here. */
  record SignalReceived(String step, String signal, Map<String, Object> data) implements OfStep {}

  /** The signal did not come in time. */
  record SignalTimedOut(String step, String signal) implements OfStep {}

  /** It has failed or was cancelled: what is queued is taken back, the rest is undone. */
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

  /** An operator went on without undoing a step. */
  record CompensationSkipped(String step, String actor, String reason) implements OfStep {}

  /** A step was done after it had been given up. It is undone, unless nothing is. */
  record LateEffect(String step, UUID command, Map<String, Object> data) implements OfStep {}

  /** An attempt that may have been done is known not to have been. */
  record NotDone(String step, UUID command) implements OfStep {}

  /** A second reply to a command says something else; the first one counts. */
  record ConflictingReply(String step, UUID command, String error) implements OfStep {}

  /** Nothing new is begun. */
  record ProcessPaused(String actor, String reason) implements ProcessEvent {}

  /** It goes on. */
  record ProcessResumed(String actor, String reason) implements ProcessEvent {}

  /** Somebody has it undone. */
  record ProcessCancelled(String actor, String reason) implements ProcessEvent {}

  /** An operator leads it out of FAILED. */
  record ProcessReopened(ProcessStatus status, String actor, String reason)
      implements ProcessEvent {}

  /**
   * A request came to a node that does not have what it takes; a node that has it does it.
   *
   * @param verb what to do: a verb of {@link ProcessManager} in capitals, for example {@code
   *     CANCEL}
   * @param target the step to skip, or the name of the signal
   * @param data of the signal
   */
  record RequestQueued(
      String verb,
      Optional<String> target,
      Map<String, Object> data,
      Optional<String> actor,
      Optional<String> reason)
      implements ProcessEvent {}

  /** A node does the oldest queued request: the next lines say what came of it. */
  record RequestTaken(String verb, Optional<String> target) implements ProcessEvent {}

  /** The queued request that was taken last could not be done any more; it changed nothing. */
  record RequestRefused(String verb, Optional<String> target, String error)
      implements ProcessEvent {}

  /** All steps are done. */
  record ProcessCompleted(String reason) implements ProcessEvent {}

  /** All that was done is undone. */
  record ProcessCompensated(String reason) implements ProcessEvent {}

  /** It has ended, and somebody should look at it. */
  record ProcessFailed(FailureKind kind, String error) implements ProcessEvent {}
}
