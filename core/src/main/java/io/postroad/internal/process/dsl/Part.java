package io.postroad.internal.process.dsl;

import java.util.Optional;

/** A part of a line while it is written; what comes behind it is known only at the end. */
sealed interface Part permits StepDraft, ConditionPart, ForkPart, Pause {

  /** The id of its first node. */
  String id();

  /**
   * Adds its nodes.
   *
   * @param next what comes behind it; empty for the end
   */
  void assemble(Assembly assembly, Optional<String> next);

  /** How to write it by a name of its own. */
  String naming();
}
