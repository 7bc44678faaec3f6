package io.postroad.process.dsl;

import static io.postroad.process.dsl.Processes.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.process.Commands.ArchiveCommand;
import io.postroad.process.Commands.BookFxCommand;
import io.postroad.process.Commands.CompleteCommand;
import io.postroad.process.Commands.NotifyCommand;
import io.postroad.process.Commands.ProcessCommand;
import io.postroad.process.Commands.RejectCommand;
import io.postroad.process.Commands.Step1Command;
import io.postroad.process.Commands.Step2Command;
import io.postroad.process.Commands.Step3Command;
import io.postroad.process.Commands.Undo1Command;
import io.postroad.process.Commands.ValidateCommand;
import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StartData;
import io.postroad.process.StepRetry;
import io.postroad.process.Walk;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProcessGraphBuilderTest {
  private static final Map<String, Object> YES = Map.of("valid", true);
  private static final Map<String, Object> NO = Map.of("valid", false);

  private static boolean valid(Map<String, Object> data) {
    return Boolean.TRUE.equals(data.get("valid"));
  }

  @Test
  void aStepSaysAllThatCanBeSaidOfIt() {
    ProcessGraph graph =
        process()
            .withDeadline(Duration.ofDays(2))
            .startWith("First", Step1Command.class)
            .withCompensation(Undo1Command.class)
            .withTimeout(Duration.ofSeconds(30))
            .withRetry(5, Duration.ofSeconds(1), Duration.ofMinutes(1))
            .withInput(data -> Map.of("derived", data.size()))
            .pointOfNoReturn()
            .end();

    assertThat(graph.deadline()).hasValue(Duration.ofDays(2));
    assertThat(graph.node("First"))
        .isEqualTo(
            new Node.Step(
                "First",
                "Step1",
                Optional.of(List.of()),
                true,
                Optional.of(new Node.Undo("Undo1", Optional.of(List.of()))),
                Optional.of(Duration.ofSeconds(30)),
                Optional.of(StepRetry.of(5, Duration.ofSeconds(1), Duration.ofMinutes(1))),
                true,
                Optional.empty()));
    assertThat(graph.inputs())
        .hasEntrySatisfying(
            "First", input -> assertThat(input.apply(YES)).isEqualTo(Map.of("derived", 1)));
  }

  @Test
  void theDeadlineCanAlsoComeLast() {
    ProcessGraph graph =
        process().startWith(Step1Command.class).withDeadline(Duration.ofHours(1)).end();

    assertThat(graph.deadline()).hasValue(Duration.ofHours(1));
  }

  @Test
  void waitsHaveNames() {
    ProcessGraph graph =
        process()
            .startWith(Step1Command.class)
            .thenWait(Duration.ofHours(1))
            .thenWait("cooling-off", Duration.ofDays(14))
            .thenAwait("approved")
            .thenAwait("paid", Duration.ofDays(1))
            .thenAwait("paid-again", "paid")
            .thenAwait("paid-at-last", "paid", Duration.ofDays(3))
            .then(Step2Command.class)
            .end();

    assertThat(Walk.of(graph, Map.of()))
        .isEqualTo(
            "Step1 -> wait-1 -> cooling-off -> await-approved -> await-paid -> paid-again ->"
                + " paid-at-last -> Step2 -> end");
    assertThat(graph.node("await-paid"))
        .isEqualTo(
            new Node.Await(
                "await-paid", "paid", Optional.of(Duration.ofDays(1)), Optional.of("paid-again")));
    assertThat(graph.node("wait-1"))
        .isEqualTo(new Node.Wait("wait-1", Duration.ofHours(1), Optional.of("cooling-off")));
  }

  // conditions, form with classes

  @Test
  void conditionsOneAfterTheOtherAreEachOptional() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(ProcessCommand.class)
            .then(NotifyCommand.class)
            .thenIf("again", ProcessGraphBuilderTest::valid)
            .whenTrue(Step1Command.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(Step2Command.class)
            .end();

    assertThat(Walk.edges(graph))
        .isEqualTo(
            """
            Validate -> if-1
            if-1 ? Process : Notify
            Process -> Notify
            Notify -> again
            again ? Step1 : if-2
            Step1 -> if-2
            if-2 ? Step2 : end
            Step2 -> end""");
    assertThat(Walk.of(graph, NO)).isEqualTo("Validate -> Notify -> end");
    assertThat(graph.getNextStep("if-1", YES)).hasValue("Process");
  }

  @Test
  void whatFollowsTheMeetingPointIsForBoth() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(ProcessCommand.class)
            .then(Step1Command.class)
            .then(CompleteCommand.class)
            .whenFalse(RejectCommand.class)
            .then(CompleteCommand.class)
            .withCompensation(Undo1Command.class)
            .then(NotifyCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(Step2Command.class)
            .end();

    assertThat(Walk.of(graph, YES))
        .isEqualTo("Validate -> Process -> Step1 -> Complete -> Notify -> Step2 -> end");
    assertThat(Walk.of(graph, NO)).isEqualTo("Validate -> Reject -> Complete -> Notify -> end");
    assertThat(graph.getCompensationStep("Complete")).hasValue("Undo1");
  }

  @Test
  void aBranchMayBeginWhereTheOtherEnds() {
    ProcessGraph late =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(CompleteCommand.class)
            .whenFalse(RejectCommand.class)
            .then(CompleteCommand.class)
            .end();
    ProcessGraph early =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(ProcessCommand.class)
            .then(CompleteCommand.class)
            .whenFalse(CompleteCommand.class)
            .end();

    assertThat(Walk.of(late, YES)).isEqualTo("Validate -> Complete -> end");
    assertThat(Walk.of(late, NO)).isEqualTo("Validate -> Reject -> Complete -> end");
    assertThat(Walk.of(early, YES)).isEqualTo("Validate -> Process -> Complete -> end");
    assertThat(Walk.of(early, NO)).isEqualTo("Validate -> Complete -> end");
  }

  @Test
  void endDirectlyBehindWhenFalseEndsBoth() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(ProcessCommand.class)
            .then(NotifyCommand.class)
            .whenFalse(RejectCommand.class)
            .end();

    assertThat(Walk.of(graph, YES)).isEqualTo("Validate -> Process -> Notify -> end");
    assertThat(Walk.of(graph, NO)).isEqualTo("Validate -> Reject -> end");
  }

  @Test
  void endIfClosesBothBranches() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(ProcessCommand.class)
            .then(NotifyCommand.class)
            .whenFalse(RejectCommand.class)
            .then(Step1Command.class)
            .endIf()
            .then(CompleteCommand.class)
            .end();

    assertThat(Walk.of(graph, YES)).isEqualTo("Validate -> Process -> Notify -> Complete -> end");
    assertThat(Walk.of(graph, NO)).isEqualTo("Validate -> Reject -> Step1 -> Complete -> end");
  }

  @Test
  void endIfMakesSeveralStepsOptional() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(ProcessCommand.class)
            .then(NotifyCommand.class)
            .endIf()
            .then(CompleteCommand.class)
            .end();

    assertThat(Walk.of(graph, YES)).isEqualTo("Validate -> Process -> Notify -> Complete -> end");
    assertThat(Walk.of(graph, NO)).isEqualTo("Validate -> Complete -> end");
  }

  @Test
  void stepsBehindWhenFalseWithoutAMeetingPointAreRefused() {
    assertThatThrownBy(
            () ->
                process()
                    .startWith(ValidateCommand.class)
                    .thenIf(ProcessGraphBuilderTest::valid)
                    .whenTrue(ProcessCommand.class)
                    .whenFalse(RejectCommand.class)
                    .then(CompleteCommand.class)
                    .end())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "process 'Test': 'Complete' comes behind whenFalse(Reject) of 'if-1', and it is not"
                + " clear whether it is for that branch or for both: write whenFalse(branch ->"
                + " branch.startWith(..).then(..)), or endIf() before what is for both, or end both"
                + " branches with the same command");
  }

  @Test
  void aConditionBehindWhenFalseWithoutAMeetingPointIsRefused() {
    assertThatThrownBy(
            () ->
                process()
                    .startWith(ValidateCommand.class)
                    .thenIf(ProcessGraphBuilderTest::valid)
                    .whenTrue(ProcessCommand.class)
                    .whenFalse(RejectCommand.class)
                    .thenIf("later", ProcessGraphBuilderTest::valid))
        .hasMessageStartingWith("process 'Test': 'later' comes behind whenFalse(Reject) of 'if-1'");
  }

  @Test
  void aMeetingPointWithTwoCompensationsIsRefused() {
    assertThatThrownBy(
            () ->
                process()
                    .startWith(ValidateCommand.class)
                    .thenIf(ProcessGraphBuilderTest::valid)
                    .whenTrue(CompleteCommand.class)
                    .withCompensation(Undo1Command.class)
                    .whenFalse(RejectCommand.class)
                    .then(CompleteCommand.class)
                    .withCompensation(Step1Command.class)
                    .end())
        .hasMessage(
            "step 'Complete' is where two branches meet and has a different withCompensation in"
                + " each: say it in one");
  }

  @Test
  void aNameOfItsOwnIsNoMeetingPoint() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(ProcessCommand.class)
            .then(NotifyCommand.class)
            .whenFalse(RejectCommand.class)
            .then("NotifyRejected", NotifyCommand.class)
            .endIf()
            .end();

    assertThat(Walk.of(graph, YES)).isEqualTo("Validate -> Process -> Notify -> end");
    assertThat(Walk.of(graph, NO)).isEqualTo("Validate -> Reject -> NotifyRejected -> end");
  }

  // conditions, form with lambdas

  @Test
  void branchesOfSeveralSteps() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenIf("valid", ProcessGraphBuilderTest::valid)
            .whenTrue(branch -> branch.startWith(ProcessCommand.class).then(NotifyCommand.class))
            .whenFalse(branch -> branch.startWith(RejectCommand.class).then(Step1Command.class))
            .then(CompleteCommand.class)
            .end();

    assertThat(Walk.of(graph, YES)).isEqualTo("Validate -> Process -> Notify -> Complete -> end");
    assertThat(Walk.of(graph, NO)).isEqualTo("Validate -> Reject -> Step1 -> Complete -> end");
  }

  @Test
  void aTrueBranchAlone() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(branch -> branch.startWith(ProcessCommand.class).then(NotifyCommand.class))
            .then(CompleteCommand.class)
            .end();

    assertThat(Walk.of(graph, YES)).isEqualTo("Validate -> Process -> Notify -> Complete -> end");
    assertThat(Walk.of(graph, NO)).isEqualTo("Validate -> Complete -> end");
  }

  @Test
  void bothFormsMix() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(ProcessCommand.class)
            .then(NotifyCommand.class)
            .whenFalse(branch -> branch.startWith(RejectCommand.class).then(NotifyCommand.class))
            .then(CompleteCommand.class)
            .end();

    assertThat(Walk.of(graph, YES)).isEqualTo("Validate -> Process -> Notify -> Complete -> end");
    assertThat(Walk.of(graph, NO)).isEqualTo("Validate -> Reject -> Notify -> Complete -> end");
  }

  @Test
  void anEmptyBranchGoesToWhatFollows() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(branch -> branch)
            .whenFalse(branch -> branch.startWith(RejectCommand.class))
            .then(CompleteCommand.class)
            .end();

    assertThat(Walk.of(graph, YES)).isEqualTo("Validate -> Complete -> end");
    assertThat(Walk.of(graph, NO)).isEqualTo("Validate -> Reject -> Complete -> end");
  }

  // forks and nesting

  @Test
  void branchesNestConditionsAndForks() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenParallel()
            .branch(
                branch ->
                    branch
                        .startWith(ProcessCommand.class)
                        .thenIf(ProcessGraphBuilderTest::valid)
                        .whenTrue(Step1Command.class))
            .branch(
                branch ->
                    branch
                        .thenParallel()
                        .branch(Step2Command.class)
                        .branch(Step3Command.class)
                        .join())
            .branch(
                branch ->
                    branch
                        .thenIf("known", ProcessGraphBuilderTest::valid)
                        .whenTrue(b -> b.startWith(BookFxCommand.class))
                        .thenWait(Duration.ofHours(1)))
            .branch(NotifyCommand.class)
            .withCompensation(Undo1Command.class)
            .joinAt(CompleteCommand.class)
            .withTimeout(Duration.ofMinutes(1))
            .end();

    assertThat(Walk.edges(graph))
        .isEqualTo(
            """
            Validate -> fork-1
            fork-1 => Process, fork-2, known, Notify => join-1
            Process -> if-1
            if-1 ? Step1 : join-1
            Step1 -> join-1
            fork-2 => Step2, Step3 => join-2
            Step2 -> join-2
            Step3 -> join-2
            join-2 -> join-1
            known ? BookFx : wait-1
            BookFx -> wait-1
            wait-1 -> join-1
            Notify -> join-1
            join-1 -> Complete
            Complete -> end""");
    assertThat(graph.getCompensationStep("Notify")).hasValue("Undo1");
    assertThat(((Node.Step) graph.node("Complete")).timeout()).hasValue(Duration.ofMinutes(1));
    assertThat(graph.getNextStep("Step2", YES)).hasValue("Complete");
  }

  @Test
  void aForkBelongsToTheBranchItIsWrittenIn() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(ProcessGraphBuilderTest::valid)
            .whenTrue(ProcessCommand.class)
            .thenParallel()
            .branch(Step1Command.class)
            .branch("Other", Step1Command.class)
            .joinAt(CompleteCommand.class)
            .whenFalse(RejectCommand.class)
            .then(CompleteCommand.class)
            .end();

    assertThat(Walk.edges(graph))
        .isEqualTo(
            """
            Validate -> if-1
            if-1 ? Process : Reject
            Process -> fork-1
            fork-1 => Step1, Other => join-1
            Step1 -> join-1
            Other -> join-1
            join-1 -> Complete
            Reject -> Complete
            Complete -> end""");
  }

  @Test
  void aBranchWithoutStepsIsRefused() {
    assertThatThrownBy(
            () ->
                process()
                    .startWith(ValidateCommand.class)
                    .thenParallel()
                    .branch(Step1Command.class)
                    .branch(branch -> branch)
                    .join()
                    .end())
        .hasMessage(
            "a branch of 'fork-1' has no steps: leave it out, or begin it with startWith(..)");
  }

  @Test
  void aBranchDoesNotEndTheProcess() {
    assertThatThrownBy(
            () ->
                process()
                    .startWith(ValidateCommand.class)
                    .thenParallel()
                    .branch(
                        branch -> {
                          ProcessStep step = branch.startWith(Step1Command.class);
                          assertThat(step.end()).isNull();
                          return step;
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("end() ends the process, and this is a branch of 'Test': leave it out");
  }

  // names

  @Test
  void theSameCommandTwiceNeedsANameOfItsOwn() {
    assertThatThrownBy(
            () ->
                process()
                    .startWith(ValidateCommand.class)
                    .then(NotifyCommand.class)
                    .thenParallel()
                    .branch(Step1Command.class)
                    .branch(NotifyCommand.class)
                    .joinAt(CompleteCommand.class)
                    .end())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "process 'Test' has 'Notify' twice: behind 'Validate', and at the beginning of branch 2"
                + " of 'fork-1'; give one of them a name of its own, like then(\"SecondNotify\","
                + " NotifyCommand.class)");
  }

  @Test
  void theSameCommandTwiceWithNames() {
    ProcessGraph graph =
        process().startWith(NotifyCommand.class).then("SecondNotify", NotifyCommand.class).end();

    assertThat(Walk.of(graph, Map.of())).isEqualTo("Notify -> SecondNotify -> end");
    assertThat(((Node.Step) graph.node("SecondNotify")).command()).isEqualTo("Notify");
  }

  @Test
  void aStepInsideBothBranchesIsNoMeetingPointUnlessItIsTheLast() {
    assertThatThrownBy(
            () ->
                process()
                    .startWith(ValidateCommand.class)
                    .thenIf(ProcessGraphBuilderTest::valid)
                    .whenTrue(ProcessCommand.class)
                    .then(NotifyCommand.class)
                    .then(CompleteCommand.class)
                    .whenFalse(RejectCommand.class)
                    .then(NotifyCommand.class)
                    .then(CompleteCommand.class)
                    .end())
        .hasMessageStartingWith(
            "process 'Test' has 'Notify' twice: behind 'Process', and behind 'Reject'; give");
  }

  @Test
  void conditionsAndWaitsWithOneNameAreRefused() {
    assertThatThrownBy(
            () ->
                process()
                    .startWith(ValidateCommand.class)
                    .thenAwait("paid")
                    .thenAwait("paid")
                    .end())
        .hasMessage(
            "process 'Test' has 'await-paid' twice: behind 'Validate', and behind 'await-paid';"
                + " give one of them a name of its own, like thenAwait(\"second-paid\", \"paid\")");
    assertThatThrownBy(
            () ->
                process()
                    .startWith("same", ValidateCommand.class)
                    .thenIf("same", ProcessGraphBuilderTest::valid)
                    .whenTrue(Step1Command.class)
                    .end())
        .hasMessageContaining("'same' twice: at the beginning, and behind 'same'");
  }

  @Test
  void aStepWithTheNameOfAJoinIsRefused() {
    assertThatThrownBy(
            () ->
                process()
                    .startWith("join-1", ValidateCommand.class)
                    .thenParallel()
                    .branch(Step1Command.class)
                    .join()
                    .end())
        .hasMessageContaining("'join-1' twice");
  }

  @Test
  void namesThatCannotBePartOfAKeyAreRefused() {
    assertThatThrownBy(() -> process().startWith("a:2", Step1Command.class))
        .hasMessage(
            "the name of a step must have 1 to 120 letters, digits, '.', '_' and '-' of ASCII, a"
                + " letter first; got 'a:2'");
    assertThatThrownBy(
            () ->
                process().startWith(Step1Command.class).thenIf("", ProcessGraphBuilderTest::valid))
        .hasMessageStartingWith("the name of a condition must have");
    assertThatThrownBy(() -> process().startWith(Step1Command.class).thenAwait("paid?"))
        .hasMessageStartingWith("the name of a signal must have");
    assertThatThrownBy(
            () -> process().startWith(Step1Command.class).thenWait("1st", Duration.ofHours(1)))
        .hasMessageStartingWith("the name of a wait must have");
  }

  @Test
  void timesMustBeMoreThanNothing() {
    ProcessStep step = process().startWith(Step1Command.class);

    assertThatThrownBy(() -> step.withTimeout(Duration.ZERO))
        .hasMessage("the timeout of step 'Step1' must be more than nothing, got PT0S");
    assertThatThrownBy(() -> step.thenWait(Duration.ofSeconds(-1)))
        .hasMessage("the duration of wait 'wait-1' must be more than nothing, got PT-1S");
    assertThatThrownBy(() -> step.thenAwait("paid", Duration.ZERO))
        .hasMessage("the timeout of signal 'paid' must be more than nothing, got PT0S");
    assertThatThrownBy(() -> process().withDeadline(Duration.ZERO))
        .hasMessage("the deadline of process 'Test' must be more than nothing, got PT0S");
  }

  @Test
  void aStepSaysEachThingOnce() {
    ProcessStep step = process().startWith(Step1Command.class).withTimeout(Duration.ofHours(1));

    assertThatThrownBy(() -> step.withTimeout(Duration.ofHours(2)))
        .hasMessage("step 'Step1' has withTimeout twice");
  }

  // fields

  record LooseCommand(int count, Optional<String> note, @Nullable String remark, String name)
      implements io.postroad.command.DomainCommand {}

  @Test
  void fieldsAreTheComponentsOfTheRecord() {
    ProcessGraph graph = process().startWith(LooseCommand.class).end();

    assertThat(((Node.Step) graph.node("Loose")).fields())
        .hasValue(
            List.of(
                new Node.Field("count", true),
                new Node.Field("note", false),
                new Node.Field("remark", false),
                new Node.Field("name", true)));
  }

  @Test
  void aClassThatIsNoRecordTakesAllData() {
    ProcessGraph graph = process().startWith(ArchiveCommand.class).end();

    assertThat(((Node.Step) graph.node("Archive")).fields()).isEmpty();
  }

  // start data

  record Order(String customer, Optional<String> voucher, @Nullable String note) {}

  @Test
  void startDataOfARecord() {
    StartData data = StartData.of(Order.class);

    assertThat(data.required()).containsExactly("customer");
    assertThat(data.optional()).containsExactly("voucher", "note");
  }

  @Test
  void startDataOfKeys() {
    StartData data = StartData.keys("customer", "amount");

    assertThat(data.required()).containsExactly("customer", "amount");
    assertThat(data.missingIn(Map.of("amount", 1))).containsExactly("customer");
  }
}
