package io.postroad.internal.process.dsl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A condition under construction: the next parts may still belong to one of its branches. Closing
 * it decides which.
 */
final class OpenCondition {
  private final String process;
  private final String name;
  private final Predicate<Map<String, Object>> predicate;
  private final List<Part> whenTrue;
  private final boolean isTrueWhole;
  private @Nullable List<Part> whenFalse;

  private OpenCondition(
      String process,
      String name,
      Predicate<Map<String, Object>> predicate,
      List<Part> whenTrue,
      boolean isTrueWhole) {
    this.process = process;
    this.name = name;
    this.predicate = predicate;
    this.whenTrue = whenTrue;
    this.isTrueWhole = isTrueWhole;
  }

  /** Handles {@code whenTrue(A.class)}: the end of the branch is not known yet. */
  static OpenCondition withStep(
      String process, String name, Predicate<Map<String, Object>> predicate, StepDraft first) {
    return new OpenCondition(process, name, predicate, new ArrayList<>(List.of(first)), false);
  }

  /** Handles {@code whenTrue(branch -> ..)}. */
  static OpenCondition withBranch(
      String process, String name, Predicate<Map<String, Object>> predicate, List<Part> branch) {
    return new OpenCondition(process, name, predicate, branch, true);
  }

  /** Returns whether the next part cannot belong to it. */
  boolean isComplete() {
    return isTrueWhole && whenFalse == null;
  }

  void add(Part part) {
    (whenFalse == null ? whenTrue : whenFalse).add(part);
  }

  /** Handles {@code whenFalse(B.class)}: the end of the branch is not known yet. */
  void otherwise(StepDraft first) {
    whenFalse = new ArrayList<>(List.of(first));
  }

  /** Handles {@code whenFalse(branch -> ..)}; returns the condition and the parts after it. */
  List<Part> closedWith(List<Part> branch) {
    int meeting = meeting(branch);
    boolean isAtTheEnd = meeting >= 0 && meeting == branch.size() - 1;
    return isAtTheEnd ? meetingAt(branch, meeting) : List.of(condition(whenTrue, branch));
  }

  /** Handles {@code endIf()}: all parts so far belong to the branches. */
  List<Part> closed() {
    if (whenFalse == null) {
      return List.of(condition(whenTrue, List.of()));
    }
    int meeting = meeting(whenFalse);
    return meeting >= 0 ? meetingAt(whenFalse, meeting) : List.of(condition(whenTrue, whenFalse));
  }

  /**
   * Closes the condition at the end, or at a part that cannot belong to it.
   *
   * @param next a text that names the next part
   * @throws IllegalArgumentException when the end of the false branch is not clear
   */
  List<Part> closedBefore(@Nullable String next) {
    if (isTrueWhole && whenFalse == null) {
      return closed();
    }
    if (whenFalse == null) {
      return optional();
    }
    if (meeting(whenFalse) < 0) {
      refuseUnclear(whenFalse, next);
    }
    return closed();
  }

  /** Without a false branch only the first step is conditional. */
  private List<Part> optional() {
    List<Part> parts = new ArrayList<>();
    parts.add(condition(whenTrue.subList(0, 1), List.of()));
    parts.addAll(whenTrue.subList(1, whenTrue.size()));
    return parts;
  }

  private void refuseUnclear(List<Part> line, @Nullable String next) {
    @Nullable String unclear = line.size() > 1 ? line.get(1).id() : next;
    if (unclear != null) {
      throw new IllegalArgumentException(
          ("process '%s': '%s' comes behind whenFalse(%s) of '%s', and it is not clear whether it"
                  + " is for that branch or for both: write whenFalse(branch ->"
                  + " branch.startWith(..).then(..)), or endIf() before what is for both, or end both"
                  + " branches with the same command")
              .formatted(process, unclear, line.get(0).id(), name));
    }
  }

  /** Returns the position of the last step of the true branch in the false one, or -1. */
  private int meeting(List<Part> line) {
    if (!whenTrue.isEmpty() && whenTrue.get(whenTrue.size() - 1) instanceof StepDraft last) {
      for (int i = 0; i < line.size(); i++) {
        if (line.get(i) instanceof StepDraft step && step.isSameAs(last)) {
          return i;
        }
      }
    }
    return -1;
  }

  private List<Part> meetingAt(List<Part> line, int index) {
    int last = whenTrue.size() - 1;
    StepDraft both = ((StepDraft) whenTrue.get(last)).and((StepDraft) line.get(index));
    List<Part> parts = new ArrayList<>();
    parts.add(condition(whenTrue.subList(0, last), line.subList(0, index)));
    parts.add(both);
    parts.addAll(line.subList(index + 1, line.size()));
    return parts;
  }

  private ConditionPart condition(List<Part> trueBranch, List<Part> falseBranch) {
    return new ConditionPart(name, predicate, trueBranch, falseBranch);
  }
}
