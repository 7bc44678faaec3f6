package io.postroad.process.dsl;

import io.postroad.command.DomainCommand;

/**
 * The beginning of a branch: {@code branch -> branch.startWith(A.class).then(B.class)}. It may
 * begin with a condition, a fork or a wait as well, and has no {@code end()}: the process continues
 * after its condition or fork.
 */
public interface Branch extends Line<ProcessStep, ProcessLine> {

  /** Begins with this command; the name of the step is its type. */
  ProcessStep startWith(Class<? extends DomainCommand> command);

  /** Begins with this command under its own name. */
  ProcessStep startWith(String name, Class<? extends DomainCommand> command);
}
