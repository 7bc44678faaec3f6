package io.postroad.internal.process.dsl;

import io.postroad.command.CommandType;
import io.postroad.command.DomainCommand;
import io.postroad.process.StepRetry;
import io.postroad.process.dsl.Branch;
import io.postroad.process.dsl.Line;
import io.postroad.process.dsl.Parallel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Builds the branches of a fork. */
final class ParallelBuilder<S, L> implements Parallel.BranchStep<S, L> {
  private final LineDraft draft;
  private final LineBuilder<S, L> line;
  private final int position;
  private final List<List<Part>> branches = new ArrayList<>();

  /**
   * @param line goes on behind the join
   */
  ParallelBuilder(LineDraft draft, LineBuilder<S, L> line) {
    this.draft = draft;
    this.line = line;
    this.position = draft.position("fork");
  }

  @Override
  public Parallel.BranchStep<S, L> branch(Class<? extends DomainCommand> command) {
    return branch(CommandType.of(command), command);
  }

  @Override
  public Parallel.BranchStep<S, L> branch(String name, Class<? extends DomainCommand> command) {
    branches.add(List.of(StepDraft.of(name, command)));
    return this;
  }

  @Override
  public Parallel.Branches<S, L> branch(Function<Branch, ? extends Line<?, ?>> branch) {
    branches.add(draft.branch(branch));
    return this;
  }

  @Override
  public S joinAt(Class<? extends DomainCommand> command) {
    return joinAt(CommandType.of(command), command);
  }

  @Override
  public S joinAt(String name, Class<? extends DomainCommand> command) {
    addFork();
    return line.then(name, command);
  }

  @Override
  public L join() {
    addFork();
    return line.behind(draft);
  }

  private void addFork() {
    draft.add(new ForkPart("fork-" + position, "join-" + position, branches));
  }

  @Override
  public Parallel.BranchStep<S, L> withCompensation(Class<? extends DomainCommand> command) {
    step().withCompensation(command);
    return this;
  }

  @Override
  public Parallel.BranchStep<S, L> withCompensation(
      Class<? extends DomainCommand> command, Duration timeout) {
    step().withCompensation(command, timeout);
    return this;
  }

  @Override
  public Parallel.BranchStep<S, L> withTimeout(Duration timeout) {
    step().withTimeout(timeout);
    return this;
  }

  @Override
  public Parallel.BranchStep<S, L> withRetry(StepRetry retry) {
    step().withRetry(retry);
    return this;
  }

  @Override
  public Parallel.BranchStep<S, L> withRetry(
      int maxRetries, Duration firstDelay, Duration longestDelay) {
    return withRetry(StepRetry.of(maxRetries, firstDelay, longestDelay));
  }

  @Override
  public Parallel.BranchStep<S, L> withInput(UnaryOperator<Map<String, Object>> input) {
    step().withInput(input);
    return this;
  }

  @Override
  public Parallel.BranchStep<S, L> pointOfNoReturn() {
    step().pointOfNoReturn();
    return this;
  }

  /** Returns the last branch; only a branch of one command has settings. */
  private StepDraft step() {
    return (StepDraft) branches.get(branches.size() - 1).get(0);
  }
}
