package io.postroad.internal.process.engine;

import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepState;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The decisions on which the safety of a process rests. Pure. Not final, so that a test can break
 * one of them and see that the model check finds it.
 */
public class SafetyRules {

  /** Returns whether all branches have arrived. */
  public boolean isJoinComplete(Node.Fork fork, List<Integer> arrived) {
    return arrived.size() == fork.branches().size();
  }

  /** Returns whether a join may continue; it may only once. */
  public boolean mayJoin(ProcessState state, Node.Join join) {
    return state.progress(join.id()).isEmpty();
  }

  /** Returns whether the step waits for the reply to this command. */
  public boolean isAwaited(StepProgress progress, UUID command) {
    return progress.state().isSent() && progress.command().equals(Optional.of(command));
  }

  /** Returns whether a step was done or may have been done, and must be undone. */
  public boolean isToUndo(ProcessState state, Node.Step step, StepProgress progress) {
    return step.undo().isPresent()
        && (progress.state() == StepState.COMPLETED
            || isMaybeDone(progress)
            || isUndoneAgain(state, progress));
  }

  /** Returns whether an operator has retried an undo that failed for good. */
  private static boolean isUndoneAgain(ProcessState state, StepProgress progress) {
    return progress.state() == StepState.UNDO_FAILED
        && state.status() == ProcessStatus.COMPENSATING;
  }

  private static boolean isMaybeDone(StepProgress progress) {
    return progress.isMaybeDone()
        && (progress.state() == StepState.UNKNOWN
            || progress.state() == StepState.FAILED
            || progress.state() == StepState.RECALLED);
  }

  /** Orders steps for their undo: the step done last is undone first. */
  public Comparator<StepProgress> undoOrder() {
    return Comparator.comparingLong(StepProgress::order).reversed();
  }

  /** Returns whether no command runs any more that may turn out to be done. */
  public boolean isDrained(ProcessState state) {
    return state.all().stream().allMatch(progress -> progress.running().isEmpty());
  }

  /** Returns whether the process is past its point of no return. */
  public boolean isPastNoReturn(ProcessGraph graph, ProcessState state) {
    return state
        .in(StepState.COMPLETED)
        .anyMatch(
            progress ->
                graph.node(progress.node()) instanceof Node.Step step && step.isPointOfNoReturn());
  }

  /**
   * Returns whether an undo was ever sent. The states of the steps do not tell: a failed undo
   * leaves its step completed.
   */
  public boolean hasBegunToUndo(ProcessState state) {
    return state.all().stream().anyMatch(progress -> !progress.undos().isEmpty());
  }

  /** Returns whether the process begins further steps. */
  public boolean isGoingOn(ProcessState state) {
    return state.status() == ProcessStatus.RUNNING;
  }

  /** Returns whether the process is being undone. */
  public boolean isUndoing(ProcessState state) {
    return state.status() == ProcessStatus.COMPENSATING;
  }

  /** Returns whether the process has not ended. */
  boolean isActive(ProcessState state) {
    return state.status().isActive();
  }
}
