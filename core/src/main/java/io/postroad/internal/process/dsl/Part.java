package io.postroad.internal.process.dsl;

import java.util.Optional;

/** A part of a line under construction; the node after it is known only at the end. */
sealed interface Part permits StepDraft, ConditionPart, ForkPart, Pause {

  /** Returns the id of its first node. */
  String id();

  /**
   * Adds its nodes.
   *
   * @param next the node after it; empty for the end
   */
  void assemble(Assembly assembly, Optional<String> next);

  /** Returns the code that gives it its own name. */
  String naming();
}
