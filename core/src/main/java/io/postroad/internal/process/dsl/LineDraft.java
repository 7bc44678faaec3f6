package io.postroad.internal.process.dsl;

import io.postroad.process.ProcessGraph;
import io.postroad.process.dsl.Branch;
import io.postroad.process.dsl.Line;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parts of a line so far, of a whole process or of one branch. Used by one thread. */
public final class LineDraft {
  private final String processType;
  private final boolean isBranch;
  private final Map<String, Integer> positions;
  private final List<Part> parts = new ArrayList<>();
  private @Nullable OpenCondition open;
  private @Nullable Duration deadline;

  private LineDraft(String processType, boolean isBranch, Map<String, Integer> positions) {
    this.processType = processType;
    this.isBranch = isBranch;
    this.positions = positions;
  }

  public static LineDraft ofProcess(String processType) {
    return new LineDraft(processType, false, new HashMap<>());
  }

  String processType() {
    return processType;
  }

  /** Returns the parts of a branch that a function builds; positions are counted on. */
  List<Part> branch(Function<Branch, ? extends Line<?, ?>> writer) {
    LineDraft branch = new LineDraft(processType, true, positions);
    Objects.requireNonNull(
        writer.apply(new LineBuilder.Plain(branch)), "a branch must be returned");
    branch.endConditionBefore(null);
    return branch.parts;
  }

  /** Returns the next number of this kind of node, from 1. */
  int position(String kind) {
    return positions.merge(kind, 1, Integer::sum);
  }

  /** Returns the name of the next node of this kind. */
  String positional(String kind) {
    return kind + "-" + position(kind);
  }

  void add(Part part) {
    if (open != null && open.isComplete()) {
      endConditionBefore(null);
    }
    if (open == null) {
      parts.add(part);
    } else {
      open.add(part);
    }
  }

  void begin(OpenCondition condition) {
    open = condition;
  }

  /** Begins the false branch with this step. */
  void otherwise(StepDraft first) {
    openCondition().otherwise(first);
  }

  /** Sets the false branch. */
  void otherwise(List<Part> branch) {
    parts.addAll(openCondition().closedWith(branch));
    open = null;
  }

  void endIf() {
    parts.addAll(openCondition().closed());
    open = null;
  }

  /**
   * Closes the condition that is open, if any.
   *
   * @param next the next part; null for the end
   */
  void endConditionBefore(@Nullable String next) {
    if (open != null) {
      parts.addAll(open.closedBefore(next));
      open = null;
    }
  }

  private OpenCondition openCondition() {
    if (open == null) {
      throw new IllegalStateException("the condition is closed: whenFalse or endIf came before");
    }
    return open;
  }

  public void withDeadline(Duration whole) {
    Checks.positive("the deadline of process '%s'".formatted(processType), whole);
    deadline = whole;
  }

  ProcessGraph graph() {
    if (isBranch) {
      throw new IllegalStateException(
          "end() ends the process, and this is a branch of '%s': leave it out"
              .formatted(processType));
    }
    endConditionBefore(null);
    return Assembly.graph(processType, Optional.ofNullable(deadline), parts);
  }
}
