package io.postroad.process.dsl;

import io.postroad.command.DomainCommand;
import java.util.function.Function;

/**
 * Branches that run at the same time, until they are joined. Their data is merged in the order in
 * which they are written here. Forks and joins are named {@code fork-1} and {@code join-1} by their
 * position.
 *
 * @param <S> the calls that are possible after a step behind the join
 * @param <L> the calls that are possible after the join
 */
public interface Parallel<S, L> {

  /** Adds a branch of one command. */
  BranchStep<S, L> branch(Class<? extends DomainCommand> command);

  /** Adds a branch of one command under its own name. */
  BranchStep<S, L> branch(String name, Class<? extends DomainCommand> command);

  /** Adds a branch of several steps. */
  Branches<S, L> branch(Function<Branch, ? extends Line<?, ?>> branch);

  /** One or more branches. */
  interface Branches<S, L> extends Parallel<S, L> {

    /** Waits for all branches, then continues with this command. */
    S joinAt(Class<? extends DomainCommand> command);

    /** Waits for all branches, then continues with this command under its own name. */
    S joinAt(String name, Class<? extends DomainCommand> command);

    /** Waits for all branches. */
    L join();
  }

  /** A branch of one command, which can have settings. */
  interface BranchStep<S, L> extends Branches<S, L>, StepSettings<BranchStep<S, L>> {}
}
