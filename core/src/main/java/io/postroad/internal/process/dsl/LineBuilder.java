package io.postroad.internal.process.dsl;

import io.postroad.command.CommandType;
import io.postroad.command.DomainCommand;
import io.postroad.process.ProcessEnd;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StepRetry;
import io.postroad.process.dsl.Branch;
import io.postroad.process.dsl.Condition;
import io.postroad.process.dsl.Line;
import io.postroad.process.dsl.Parallel;
import io.postroad.process.dsl.ProcessLine;
import io.postroad.process.dsl.ProcessStep;
import io.postroad.process.dsl.StepSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Implements all calls of a line; the interfaces of its subclasses tell which calls are possible
 * where. Has no state of its own: the calls go to the {@link LineDraft}.
 */
public abstract class LineBuilder<S, L> implements Line<S, L>, StepSettings<S> {
  private final LineDraft draft;
  private final @Nullable StepDraft step;

  private LineBuilder(LineDraft draft, @Nullable StepDraft step) {
    this.draft = draft;
    this.step = step;
  }

  /** Returns the calls after this step. */
  abstract S behind(LineDraft draft, StepDraft step);

  /** Returns the calls after anything else. */
  abstract L behind(LineDraft draft);

  @Override
  public S then(Class<? extends DomainCommand> command) {
    return then(CommandType.of(command), command);
  }

  @Override
  public S then(String name, Class<? extends DomainCommand> command) {
    StepDraft next = StepDraft.of(name, command);
    draft.add(next);
    return behind(draft, next);
  }

  @Override
  public Condition thenIf(Predicate<Map<String, Object>> predicate) {
    return thenIf(draft.positional("if"), predicate);
  }

  @Override
  public Condition thenIf(String name, Predicate<Map<String, Object>> predicate) {
    Checks.name("condition", name);
    draft.endConditionBefore(name);
    return new ConditionBuilder(draft, name, predicate);
  }

  @Override
  public Parallel<S, L> thenParallel() {
    return new ParallelBuilder<>(draft, this);
  }

  @Override
  public L thenWait(Duration duration) {
    return thenWait(draft.positional("wait"), duration);
  }

  @Override
  public L thenWait(String name, Duration duration) {
    draft.add(Pause.waiting(name, duration));
    return behind(draft);
  }

  @Override
  public L thenAwait(String signal) {
    return thenAwait("await-" + signal, signal);
  }

  @Override
  public L thenAwait(String signal, Duration timeout) {
    return thenAwait("await-" + signal, signal, timeout);
  }

  @Override
  public L thenAwait(String name, String signal) {
    draft.add(Pause.awaiting(name, signal));
    return behind(draft);
  }

  @Override
  public L thenAwait(String name, String signal, Duration timeout) {
    draft.add(Pause.awaiting(name, signal, timeout));
    return behind(draft);
  }

  @Override
  public S withCompensation(Class<? extends DomainCommand> command) {
    return saying(said -> said.withCompensation(command));
  }

  @Override
  public S withCompensation(Class<? extends DomainCommand> command, Duration timeout) {
    return saying(said -> said.withCompensation(command, timeout));
  }

  @Override
  public S withTimeout(Duration timeout) {
    return saying(said -> said.withTimeout(timeout));
  }

  @Override
  public S withRetry(StepRetry retry) {
    return saying(said -> said.withRetry(retry));
  }

  @Override
  public S withRetry(int maxRetries, Duration firstDelay, Duration longestDelay) {
    return withRetry(StepRetry.of(maxRetries, firstDelay, longestDelay));
  }

  @Override
  public S withInput(UnaryOperator<Map<String, Object>> input) {
    return saying(said -> said.withInput(input));
  }

  @Override
  public S pointOfNoReturn() {
    return saying(StepDraft::pointOfNoReturn);
  }

  private S saying(Consumer<StepDraft> what) {
    StepDraft known = Objects.requireNonNull(step, "a step to say something of");
    what.accept(known);
    return behind(draft, known);
  }

  public Condition.FalseStep whenFalse(Class<? extends DomainCommand> command) {
    return whenFalse(CommandType.of(command), command);
  }

  public Condition.FalseStep whenFalse(String name, Class<? extends DomainCommand> command) {
    StepDraft first = StepDraft.of(name, command);
    draft.otherwise(first);
    return new False(draft, first);
  }

  public ProcessLine whenFalse(Function<Branch, ? extends Line<?, ?>> branch) {
    draft.otherwise(draft.branch(branch));
    return new Plain(draft);
  }

  public ProcessLine endIf() {
    draft.endIf();
    return new Plain(draft);
  }

  public ProcessEnd withDeadline(Duration deadline) {
    draft.withDeadline(deadline);
    return this::end;
  }

  public ProcessGraph end() {
    return draft.graph();
  }

  /** A line outside of conditions. */
  public static final class Plain extends LineBuilder<ProcessStep, ProcessLine>
      implements ProcessStep, Branch, Condition.TrueBranch {
    public Plain(LineDraft draft) {
      super(draft, null);
    }

    private Plain(LineDraft draft, StepDraft step) {
      super(draft, step);
    }

    @Override
    ProcessStep behind(LineDraft draft, StepDraft step) {
      return new Plain(draft, step);
    }

    @Override
    ProcessLine behind(LineDraft draft) {
      return new Plain(draft);
    }

    @Override
    public ProcessStep startWith(Class<? extends DomainCommand> command) {
      return then(command);
    }

    @Override
    public ProcessStep startWith(String name, Class<? extends DomainCommand> command) {
      return then(name, command);
    }
  }

  /** The calls after {@code whenTrue(A.class)}. */
  static final class True extends LineBuilder<Condition.TrueStep, Condition.TrueLine>
      implements Condition.TrueStep {
    True(LineDraft draft, @Nullable StepDraft step) {
      super(draft, step);
    }

    @Override
    Condition.TrueStep behind(LineDraft draft, StepDraft step) {
      return new True(draft, step);
    }

    @Override
    Condition.TrueLine behind(LineDraft draft) {
      return new True(draft, null);
    }
  }

  /** The calls after {@code whenFalse(B.class)}. */
  static final class False extends LineBuilder<Condition.FalseStep, Condition.FalseLine>
      implements Condition.FalseStep {
    private False(LineDraft draft, @Nullable StepDraft step) {
      super(draft, step);
    }

    @Override
    Condition.FalseStep behind(LineDraft draft, StepDraft step) {
      return new False(draft, step);
    }

    @Override
    Condition.FalseLine behind(LineDraft draft) {
      return new False(draft, null);
    }
  }
}
