package io.postroad.internal.process.engine;

import io.postroad.process.Node;
import io.postroad.process.StepState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Places where a process did not go on because it had failed by then: a step that was done while
 * others were waited for, a branch that was never begun.
 */
final class ResumePoints {
  private final Transition transition;

  ResumePoints(Transition transition) {
    this.transition = transition;
  }

  /**
   * A place to go on from.
   *
   * @param next where to; empty for the end of the process
   * @param from the branch that it comes from
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
      boolean answer = Boolean.TRUE.equals(progress.reply().get("result"));
      return List.of(new ResumePoint(answer ? choice.whenTrue() : choice.whenFalse(), scope));
    }
    return List.of(new ResumePoint(node.next(), scope));
  }

  /** Whether nobody has been there; the end is only there once. */
  private boolean isOpen(ResumePoint point) {
    if (point.next().isEmpty()) {
      return true;
    }
    String next = point.next().get();
    if (transition.graph().node(next) instanceof Node.Join) {
      int branch = point.from().orElseThrow().branch();
      return !transition.state().arrived().getOrDefault(next, List.of()).contains(branch);
    }
    return transition.state().progress(next).isEmpty();
  }
}
