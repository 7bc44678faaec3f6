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

  /** Begins the true branch with this command; it ends at {@code whenFalse}, if there is one. */
  TrueStep whenTrue(Class<? extends DomainCommand> command);

  /** Begins the branch with this command under its own name. */
  TrueStep whenTrue(String name, Class<? extends DomainCommand> command);

  /** Sets the true branch. */
  TrueBranch whenTrue(Function<Branch, ? extends Line<?, ?>> branch);

  /** The false branch. */
  interface Otherwise {

    /** Begins the false branch with this command; it ends where both branches meet. */
    FalseStep whenFalse(Class<? extends DomainCommand> command);

    /** Begins the branch with this command under its own name. */
    FalseStep whenFalse(String name, Class<? extends DomainCommand> command);

    /** Sets the false branch; both branches continue with the next step. */
    ProcessLine whenFalse(Function<Branch, ? extends Line<?, ?>> branch);
  }

  /** The calls after a true branch that was written as a lambda. */
  interface TrueBranch extends ProcessLine, Otherwise {}

  /** The calls after {@code whenTrue(A.class)}. */
  interface TrueLine extends Line<TrueStep, TrueLine>, Otherwise, ProcessEnd.WithDeadline {

    /** Ends the true branch; both branches continue with the next step. */
    ProcessLine endIf();
  }

  /** The calls after {@code whenTrue(A.class)}, at a step. */
  interface TrueStep extends TrueLine, StepSettings<TrueStep> {}

  /** The calls after {@code whenFalse(B.class)}. */
  interface FalseLine extends Line<FalseStep, FalseLine>, ProcessEnd.WithDeadline {

    /** Ends the false branch; both branches continue with the next step. */
    ProcessLine endIf();
  }

  /** The calls after {@code whenFalse(B.class)}, at a step. */
  interface FalseStep extends FalseLine, StepSettings<FalseStep> {}
}
