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
final class Gaps {
  private final Turn turn;

  Gaps(Turn turn) {
    this.turn = turn;
  }

  /**
   * A place to go on from.
   *
   * @param next where to; empty for the end of the process
   * @param from the branch that it comes from
   */
  record Gap(Optional<String> next, Optional<Scope> from) {}

  List<Gap> all() {
    List<Gap> gaps = new ArrayList<>();
    for (StepMark mark : turn.state().all()) {
      if (mark.state() == StepState.COMPLETED || mark.state() == StepState.SKIPPED) {
        behind(turn.graph().node(mark.node()), mark).stream()
            .filter(this::isOpen)
            .forEach(gaps::add);
      }
    }
    return gaps;
  }

  private List<Gap> behind(Node node, StepMark mark) {
    Optional<Scope> scope = turn.scopes().of(node.id());
    if (node instanceof Node.Fork fork) {
      List<Gap> branches = new ArrayList<>();
      for (int branch = 0; branch < fork.branches().size(); branch++) {
        branches.add(
            new Gap(
                Optional.of(fork.branches().get(branch)),
                Optional.of(new Scope(fork.id(), branch, scope))));
      }
      return branches;
    }
    if (node instanceof Node.Choice choice) {
      boolean answer = Boolean.TRUE.equals(mark.reply().get("result"));
      return List.of(new Gap(answer ? choice.whenTrue() : choice.whenFalse(), scope));
    }
    return List.of(new Gap(node.next(), scope));
  }

  /** Whether nobody has been there; the end is only there once. */
  private boolean isOpen(Gap gap) {
    if (gap.next().isEmpty()) {
      return true;
    }
    String next = gap.next().get();
    if (turn.graph().node(next) instanceof Node.Join) {
      int branch = gap.from().orElseThrow().branch();
      return !turn.state().arrived().getOrDefault(next, List.of()).contains(branch);
    }
    return turn.state().mark(next).isEmpty();
  }
}
