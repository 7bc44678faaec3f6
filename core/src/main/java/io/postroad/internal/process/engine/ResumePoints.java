package io.postroad.internal.process.engine;

import io.postroad.process.Node;
import io.postroad.process.StepState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the points where a failed process stopped although it could have continued: after a step
 * that was done late, and at a branch that never began.
 */
final class ResumePoints {
  private final Transition transition;

  ResumePoints(Transition transition) {
    this.transition = transition;
  }

  /**
   * A point to continue from.
   *
   * @param next the next node; empty for the end of the process
   * @param from the branch that it is entered from
   */
  record ResumePoint(Optional<String> next, Optional<Scope> from) {}

  List<ResumePoint> all() {
    List<ResumePoint> points = new ArrayList<>();
    for (StepProgress progress : transition.state().all()) {
      if (progress.state() == StepState.COMPLETED || progress.state() == StepState.SKIPPED) {
        behind(transition.graph().node(progress.node()), progress).stream()
            .filter(this::isOpen)
            .forEach(points::add);
      }
    }
    return points;
  }

  private List<ResumePoint> behind(Node node, StepProgress progress) {
    Optional<Scope> scope = transition.scopes().of(node.id());
    if (node instanceof Node.Fork fork) {
      List<ResumePoint> branches = new ArrayList<>();
      for (int branch = 0; branch < fork.branches().size(); branch++) {
        branches.add(
            new ResumePoint(
                Optional.of(fork.branches().get(branch)),
                Optional.of(new Scope(fork.id(), branch, scope))));
      }
      return branches;
    }
    if (node instanceof Node.Choice choice) {
      boolean answer = Boolean.TRUE.equals(progress.forUndo().reply().get("result"));
      return List.of(new ResumePoint(answer ? choice.whenTrue() : choice.whenFalse(), scope));
    }
    return List.of(new ResumePoint(node.next(), scope));
  }

  /** Returns whether the process has not been there yet. */
  private boolean isOpen(ResumePoint point) {
    if (point.next().isEmpty()) {
      return true;
    }
    String next = point.next().get();
    if (transition.graph().node(next) instanceof Node.Join) {
      int branch = point.from().orElseThrow().branch();
      return !transition.state().arrived(next).contains(branch);
    }
    return transition.state().progress(next).isEmpty();
  }
}
