package io.postroad.process.dsl;

import io.postroad.command.DomainCommand;
import io.postroad.internal.process.dsl.LineBuilder;
import io.postroad.internal.process.dsl.LineDraft;
import io.postroad.process.ProcessConfiguration;
import java.time.Duration;

/**
 * Builds the graph of a process; {@link ProcessConfiguration#process()} makes one.
 *
 * <pre>{@code
 * process()
 *     .startWith(BookLimitsCommand.class)
 *         .withCompensation(ReverseLimitsCommand.class)
 *     .thenIf(data -> (Boolean) data.get("requiresFx"))
 *         .whenTrue(BookFxCommand.class)
 *             .withCompensation(UnwindFxCommand.class)
 *     .then(CreatePaymentCommand.class)
 *     .end();
 * }</pre>
 *
 * <p>What cannot be meant does not compile, or is refused by {@code end()} with an {@link
 * IllegalArgumentException} that says how to write it. Whether the graph makes sense with its
 * handlers is the affair of {@code ProcessValidator}. Used by one thread, for one graph.
 */
public final class ProcessGraphBuilder {
  private final LineDraft draft;

  public ProcessGraphBuilder(String processType) {
    this.draft = LineDraft.ofProcess(processType);
  }

  /** So long after its start the process fails and is undone, unless it has ended. */
  public ProcessGraphBuilder withDeadline(Duration deadline) {
    draft.withDeadline(deadline);
    return this;
  }

  /** First this command, by the name of its type: {@code BookFx} for {@code BookFxCommand}. */
  public ProcessStep startWith(Class<? extends DomainCommand> command) {
    return new LineBuilder.Plain(draft).then(command);
  }

  /** First this command, by a name of its own. */
  public ProcessStep startWith(String name, Class<? extends DomainCommand> command) {
    return new LineBuilder.Plain(draft).then(name, command);
  }
}
