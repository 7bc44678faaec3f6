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
 * <p>A meaningless chain does not compile, or {@code end()} refuses it with an {@link
 * IllegalArgumentException} that tells how to write it. {@code ProcessValidator} checks the graph
 * against its handlers. Used by one thread, for one graph.
 */
public final class ProcessGraphBuilder {
  private final LineDraft draft;

  public ProcessGraphBuilder(String processType) {
    this.draft = LineDraft.ofProcess(processType);
  }

  /** Sets the time after which the process fails and is undone, unless it has ended. */
  public ProcessGraphBuilder withDeadline(Duration deadline) {
    draft.withDeadline(deadline);
    return this;
  }

  /** Begins with this command; {@code BookFxCommand} makes a step {@code BookFx}. */
  public ProcessStep startWith(Class<? extends DomainCommand> command) {
    return new LineBuilder.Plain(draft).then(command);
  }

  /** Begins with this command under its own name. */
  public ProcessStep startWith(String name, Class<? extends DomainCommand> command) {
    return new LineBuilder.Plain(draft).then(name, command);
  }
}
