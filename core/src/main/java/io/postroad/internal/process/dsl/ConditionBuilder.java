package io.postroad.internal.process.dsl;

import io.postroad.command.CommandType;
import io.postroad.command.DomainCommand;
import io.postroad.process.dsl.Branch;
import io.postroad.process.dsl.Condition;
import io.postroad.process.dsl.Line;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** Builds the true branch of a condition. */
record ConditionBuilder(LineDraft draft, String name, Predicate<Map<String, Object>> predicate)
    implements Condition {

  @Override
  public TrueStep whenTrue(Class<? extends DomainCommand> command) {
    return whenTrue(CommandType.of(command), command);
  }

  @Override
  public TrueStep whenTrue(String step, Class<? extends DomainCommand> command) {
    StepDraft first = StepDraft.of(step, command);
    draft.begin(OpenCondition.withStep(draft.processType(), name, predicate, first));
    return new LineBuilder.True(draft, first);
  }

  @Override
  public TrueBranch whenTrue(Function<Branch, ? extends Line<?, ?>> branch) {
    draft.begin(
        OpenCondition.withBranch(draft.processType(), name, predicate, draft.branch(branch)));
    return new LineBuilder.Plain(draft);
  }
}
