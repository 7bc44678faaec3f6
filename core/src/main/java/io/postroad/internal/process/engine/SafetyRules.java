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
 * The decisions on which the safety of a process rests, each in one place. Pure. Not final, so that
 * a test can break one of them and see that the model check finds it.
 */
public class SafetyRules {

  /** Whether the branches that have arrived are all of them. */
  public boolean isJoinComplete(Node.Fork fork, List<Integer> arrived) {
    return arrived.size() == fork.branches().size();
  }

  /** Whether a join may go on: once. */
  public boolean mayJoin(ProcessState state, Node.Join join) {
    return state.progress(join.id()).isEmpty();
  }

  /** Whether a reply is the one that the node waits for. */
  public boolean isAwaited(StepProgress progress, UUID command) {
    return progress.state().isSent() && progress.command().equals(Optional.of(command));
  }

  /** Whether a step was done or may have been, and is to be undone. */
  public boolean isToUndo(ProcessState state, Node.Step step, StepProgress progress) {
    return step.undo().isPresent()
        && (progress.state() == StepState.COMPLETED || isMaybeDone(progress) || isUndoneAgain(state, progress));
  }

  /** An undo that failed for good ends a process, so an operator has had it undone again. */
  private static boolean isUndoneAgain(ProcessState state, StepProgress progress) {
    return progress.state() == StepState.UNDO_FAILED && state.status() == ProcessStatus.COMPENSATING;
  }

  private static boolean isMaybeDone(StepProgress progress) {
    return progress.isMaybeDone()
        && (progress.state() == StepState.UNKNOWN
            || progress.state() == StepState.FAILED
            || progress.state() == StepState.RECALLED);
  }

  /** The one done last is undone first. */
  public Comparator<StepProgress> undoOrder() {
    return Comparator.comparingLong(StepProgress::order).reversed();
  }

  /** Whether something is still under way that may turn out to be done. */
  public boolean isDrained(ProcessState state) {
    return state.all().stream().allMatch(progress -> progress.running().isEmpty());
  }

  /** Whether nothing is undone any more. */
  public boolean isPastNoReturn(ProcessGraph graph, ProcessState state) {
    return state
        .in(StepState.COMPLETED)
        .anyMatch(
            progress -> graph.node(progress.node()) instanceof Node.Step step && step.isPointOfNoReturn());
  }

  /**
   * Whether something was undone, or was to be. A step whose undo failed, or that was done once
   * more, is where it was before: what was sent for it tells.
   */
  public boolean hasBegunToUndo(ProcessState state) {
    return state.all().stream().anyMatch(progress -> !progress.undos().isEmpty());
  }

  /** Whether the next steps are begun. */
  public boolean isGoingOn(ProcessState state) {
    return state.status() == ProcessStatus.RUNNING;
  }

  /** Whether what was done is being undone. */
  public boolean isUndoing(ProcessState state) {
    return state.status() == ProcessStatus.COMPENSATING;
  }

  /** Whether what happens can still change how the process ends. */
  boolean isActive(ProcessState state) {
    return state.status().isActive();
  }
}
