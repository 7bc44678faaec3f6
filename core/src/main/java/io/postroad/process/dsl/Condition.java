package io.postroad.process.dsl;

import io.postroad.command.DomainCommand;
import io.postroad.process.ProcessEnd;
import java.util.function.Function;

/**
 * A condition whose branches are being written. There are two forms.
 *
 * <ul>
 *   <li>With classes, {@code whenTrue(A.class)}. Without {@code whenFalse} only {@code A} is
 *       optional, and what follows is for both. With {@code whenFalse(B.class)} everything between
 *       the two belongs to the true branch; then the last step of the true branch is where both
 *       meet, if it is found again behind {@code B}.
 *   <li>With lambdas, {@code whenTrue(branch -> branch.startWith(A.class).then(B.class))}: what
 *       follows is for both.
 * </ul>
 */
public interface Condition {

  /** When it is true: this command, and what follows up to {@code whenFalse}, if there is one. */
  TrueStep whenTrue(Class<? extends DomainCommand> command);

  /** The same by a name of its own. */
  TrueStep whenTrue(String name, Class<? extends DomainCommand> command);

  /** When it is true: this branch. */
  TrueBranch whenTrue(Function<Branch, ? extends Line<?, ?>> branch);

  /** What happens otherwise. */
  interface Otherwise {

    /** When it is false: this command, and what follows up to the step where both meet. */
    FalseStep whenFalse(Class<? extends DomainCommand> command);

    /** The same by a name of its own. */
    FalseStep whenFalse(String name, Class<? extends DomainCommand> command);

    /** When it is false: this branch. What follows is for both. */
    ProcessLine whenFalse(Function<Branch, ? extends Line<?, ?>> branch);
  }

  /** Behind a true branch that was written as a lambda. */
  interface TrueBranch extends ProcessLine, Otherwise {}

  /** Behind {@code whenTrue(A.class)}. */
  interface TrueLine extends Line<TrueStep, TrueLine>, Otherwise, ProcessEnd.WithDeadline {

    /** All since {@code whenTrue} is the true branch; what follows is for both. */
    ProcessLine endIf();
  }

  /** Behind {@code whenTrue(A.class)}, at a step. */
  interface TrueStep extends TrueLine, StepSettings<TrueStep> {}

  /** Behind {@code whenFalse(B.class)}. */
  interface FalseLine extends Line<FalseStep, FalseLine>, ProcessEnd.WithDeadline {

    /** All since {@code whenFalse} is the false branch; what follows is for both. */
    ProcessLine endIf();
  }

  /** Behind {@code whenFalse(B.class)}, at a step. */
  interface FalseStep extends FalseLine, StepSettings<FalseStep> {}
}
