package io.postroad.process.dsl;

import io.postroad.command.DomainCommand;

/**
 * The beginning of a branch: {@code branch -> branch.startWith(A.class).then(B.class)}. It may
 * begin with a condition, a fork or a wait as well, and has no {@code end()}: it goes on behind the
 * condition or the fork it belongs to.
 */
public interface Branch extends Line<ProcessStep, ProcessLine> {

  /** First this command, by the name of its type. */
  ProcessStep startWith(Class<? extends DomainCommand> command);

  /** First this command, by a name of its own. */
  ProcessStep startWith(String name, Class<? extends DomainCommand> command);
}
