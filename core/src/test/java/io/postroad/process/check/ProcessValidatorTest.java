package io.postroad.process.check;

import static io.postroad.process.dsl.Processes.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.command.DomainCommand;
import io.postroad.process.Commands.ArchiveCommand;
import io.postroad.process.Commands.BookFxCommand;
import io.postroad.process.Commands.BookLimitsCommand;
import io.postroad.process.Commands.CreatePaymentCommand;
import io.postroad.process.Commands.CreateTransactionCommand;
import io.postroad.process.Commands.ReverseLimitsCommand;
import io.postroad.process.Commands.Step1Command;
import io.postroad.process.Commands.Step2Command;
import io.postroad.process.Commands.Step3Command;
import io.postroad.process.Commands.Undo1Command;
import io.postroad.process.Commands.UnwindFxCommand;
import io.postroad.process.Node;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessDefinitionException;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StartData;
import io.postroad.process.StepRetry;
import io.postroad.process.check.ProcessFinding.Severity;
import io.postroad.process.dsl.ProcessGraphBuilder;
import io.postroad.process.dsl.ProcessLine;
import io.postroad.process.dsl.Processes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProcessValidatorTest {
  /** What the handlers of the guide's payment return. */
  private static final Map<String, Set<String>> RESULTS =
      Map.of(
          "BookLimits", Set.of("limitId", "limitBookedAmount"),
          "BookFx", Set.of("fxContractId", "exchangeRate"),
          "CreateTransaction", Set.of("transactionId"));

  /** Handlers of everything but some, with known results but for some. */
  private record Handlers(
      Set<String> missing, Set<String> unknown, Map<String, Set<String>> results)
      implements ProcessHandlers {
    static Handlers all() {
      return new Handlers(Set.of(), Set.of(), RESULTS);
    }

    Handlers without(String... commands) {
      return new Handlers(Set.of(commands), unknown, results);
    }

    Handlers unknown(String... commands) {
      return new Handlers(missing, Set.of(commands), results);
    }

    Handlers returning(Map<String, Set<String>> keys) {
      return new Handlers(missing, unknown, keys);
    }

    @Override
    public boolean hasHandler(String command) {
      return !missing.contains(command);
    }

    @Override
    public Optional<Set<String>> resultKeys(String command) {
      return unknown.contains(command)
          ? Optional.empty()
          : Optional.of(results.getOrDefault(command, Set.of()));
    }
  }

  private record Configuration(ProcessGraph graph, Optional<StartData> start, int maxRetries)
      implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return graph.processType();
    }

    @Override
    public ProcessGraph defineProcess() {
      return graph;
    }

    @Override
    public Optional<StartData> startData() {
      return start;
    }

    @Override
    public int getMaxRetries(String step) {
      return maxRetries;
    }
  }

  private static List<ProcessFinding> check(
      ProcessGraph graph, ProcessHandlers handlers, String... startKeys) {
    Optional<StartData> start = Optional.of(StartData.keys(startKeys));
    return ProcessValidator.check(graph, new Configuration(graph, start, 3), handlers);
  }

  private static List<ProcessFinding> checkUndeclared(
      ProcessGraph graph, ProcessHandlers handlers) {
    return ProcessValidator.check(graph, new Configuration(graph, Optional.empty(), 3), handlers);
  }

  private static void assertOnly(List<ProcessFinding> findings, Severity severity, String text) {
    assertThat(findings)
        .singleElement()
        .isInstanceOfSatisfying(
            ProcessFinding.class,
            finding -> {
              assertThat(finding.text()).isEqualTo(text);
              assertThat(finding.severity()).isEqualTo(severity);
            });
  }

  // the guide

  @Test
  void nothingIsFoundInTheGuidesPayment() {
    assertThat(check(Processes.payment(), Handlers.all(), "customerId", "amount")).isEmpty();
  }

  @Test
  void aProcessWithoutStartDataGetsAWarningThatListsTheKeysOfItsStart() {
    assertOnly(
        checkUndeclared(Processes.payment(), Handlers.all()),
        Severity.WARNING,
        "process 'SimplePayment': it declares no startData(), and its start must bring"
            + " [customerId, amount]; once they are declared, a start without them is refused");
  }

  // handlers

  @Test
  void aMissingHandler() {
    List<ProcessFinding> findings =
        check(Processes.payment(), Handlers.all().without("BookFx"), "customerId", "amount");

    assertOnly(
        findings,
        Severity.ERROR,
        "process 'SimplePayment', 'BookFx' (BookLimits -> [if-1] -> BookFx): command 'BookFx' has"
            + " no handler; add a bean method with one BookFxCommand parameter, or declare the"
            + " service that handles it");
    assertThat(findings.get(0).step()).isEqualTo("BookFx");
    assertThat(findings.get(0).path()).isEqualTo("BookLimits -> [if-1] -> BookFx");
    assertThat(findings.get(0).process()).isEqualTo("SimplePayment");
  }

  @Test
  void aCompensationWithoutAHandler() {
    assertOnly(
        check(Processes.payment(), Handlers.all().without("UnwindFx"), "customerId", "amount"),
        Severity.ERROR,
        "process 'SimplePayment', 'BookFx' (BookLimits -> [if-1] -> BookFx): its compensation"
            + " 'UnwindFx' has no handler; add a bean method with one UnwindFxCommand parameter, or"
            + " declare the service that handles it");
  }

  // data

  @Test
  void aFieldThatIsMissingOnOneWayIsAnError() {
    ProcessGraph graph =
        process()
            .startWith(BookLimitsCommand.class)
            .thenIf("requiresFx", data -> true)
            .whenTrue(BookFxCommand.class)
            .then("Unwind", UnwindFxCommand.class)
            .end();

    assertOnly(
        check(graph, Handlers.all(), "customerId", "amount"),
        Severity.ERROR,
        "process 'Test', 'Unwind' (BookLimits -> [not requiresFx] -> Unwind): UnwindFx needs"
            + " 'fxContractId', and neither the start nor a step provides it on this way: make it"
            + " an Optional, derive it with withInput(..), or add it to startData()");
    assertThat(checkUndeclared(graph, Handlers.all()))
        .extracting(ProcessFinding::severity, ProcessFinding::path)
        .contains(
            org.assertj.core.groups.Tuple.tuple(
                Severity.WARNING, "BookLimits -> [not requiresFx] -> Unwind"));
  }

  @Test
  void aFieldWithoutAnySourceIsAnError() {
    ProcessGraph graph = process().startWith(BookLimitsCommand.class).end();

    assertThat(check(graph, Handlers.all(), "amount"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.isError()).isTrue())
        .satisfies(
            finding ->
                assertThat(finding.text())
                    .startsWith(
                        "process 'Test', 'BookLimits' (BookLimits): BookLimits needs 'customerId',"
                            + " and neither"));
  }

  record GreetCommand(String processId, String businessKey, String stepKey, Optional<String> name)
      implements DomainCommand {}

  @Test
  void processFieldsAndOptionalFieldsAreNeverMissing() {
    assertThat(check(process().startWith(GreetCommand.class).end(), Handlers.all())).isEmpty();
  }

  @Test
  void aDerivedInputAndAClassThatTakesAllDataAreNotLookedInto() {
    ProcessGraph graph =
        process()
            .startWith(BookLimitsCommand.class)
            .withInput(data -> data)
            .then(ArchiveCommand.class)
            .end();

    assertThat(check(graph, Handlers.all())).isEmpty();
  }

  @Test
  void aFieldThatOnlyAnUnknownResultCanProvideIsADoubt() {
    ProcessGraph graph =
        process().startWith(BookLimitsCommand.class).then(CreateTransactionCommand.class).end();
    Handlers handlers = Handlers.all().unknown("BookLimits");

    assertOnly(
        check(graph, handlers, "customerId", "amount"),
        Severity.WARNING,
        "process 'Test', 'CreateTransaction' (BookLimits -> CreateTransaction): CreateTransaction"
            + " needs 'limitId', which comes only if one of [BookLimits] provides it: what these"
            + " return is not known; a handler that returns a record would say it");
    assertOnly(
        checkUndeclared(graph, handlers),
        Severity.WARNING,
        "process 'Test': it declares no startData(), and its start must bring [customerId, amount],"
            + " and [limitId] unless a step with an unknown result provides them; once they are"
            + " declared, a start without them is refused");
  }

  @Test
  void aFieldThatASignalMayBringIsADoubt() {
    ProcessGraph graph =
        process()
            .startWith(Step1Command.class)
            .thenAwait("booked")
            .then(CreateTransactionCommand.class)
            .end();

    assertThat(check(graph, Handlers.all()))
        .singleElement()
        .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.WARNING))
        .satisfies(finding -> assertThat(finding.text()).contains("one of [await-booked]"));
  }

  record Start(String limitId2, Optional<String> limitId) {}

  @Test
  void aFieldThatTheStartMayLackIsADoubt() {
    ProcessGraph graph = process().startWith(CreateTransactionCommand.class).end();
    Configuration configuration =
        new Configuration(graph, Optional.of(StartData.of(Start.class)), 3);

    assertOnly(
        ProcessValidator.check(graph, configuration, Handlers.all()),
        Severity.WARNING,
        "process 'Test', 'CreateTransaction' (CreateTransaction): CreateTransaction needs"
            + " 'limitId', which no step provides on this way, and the start may lack it");
  }

  @Test
  void aCompensationHasTheReplyToItsStep() {
    ProcessGraph graph =
        process()
            .startWith(BookLimitsCommand.class)
            .withCompensation(ReverseLimitsCommand.class)
            .then(Step1Command.class)
            .withCompensation(UnwindFxCommand.class)
            .end();

    assertThat(check(graph, Handlers.all(), "customerId", "amount"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.isError()).isTrue())
        .satisfies(
            finding ->
                assertThat(finding.text())
                    .startsWith(
                        "process 'Test', 'Step1' (BookLimits -> Step1): UnwindFx needs"
                            + " 'fxContractId'"));
    assertThat(check(graph, Handlers.all().unknown("Step1"), "customerId", "amount"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.WARNING))
        .satisfies(finding -> assertThat(finding.text()).contains("one of [Step1]"));
  }

  @Test
  void behindAJoinAllBranchesHaveProvided() {
    ProcessGraph graph =
        process()
            .startWith(Step1Command.class)
            .thenParallel()
            .branch(BookLimitsCommand.class)
            .branch(BookFxCommand.class)
            .join()
            .then(CreateTransactionCommand.class)
            .then(UnwindFxCommand.class)
            .end();

    assertThat(check(graph, Handlers.all(), "customerId", "amount")).isEmpty();
  }

  @Test
  void aBranchDoesNotSeeTheKeysOfItsSibling() {
    ProcessGraph graph =
        process()
            .startWith(Step1Command.class)
            .thenParallel()
            .branch(BookLimitsCommand.class)
            .branch(CreateTransactionCommand.class)
            .join()
            .end();

    assertThat(check(graph, Handlers.all(), "customerId", "amount"))
        .extracting(ProcessFinding::path)
        .containsExactly("Step1 -> fork-1 -> CreateTransaction");
  }

  @Test
  void aBranchThatProvidesOnlySometimes() {
    ProcessGraph graph =
        process()
            .startWith(Step1Command.class)
            .thenParallel()
            .branch(
                branch -> branch.thenIf("large", data -> true).whenTrue(BookLimitsCommand.class))
            .branch(Step2Command.class)
            .joinAt(CreateTransactionCommand.class)
            .end();

    assertThat(check(graph, Handlers.all(), "customerId", "amount"))
        .extracting(ProcessFinding::path)
        .containsExactly("Step1 -> fork-1 -> join-1 -> CreateTransaction");
  }

  // forks

  @Test
  void twoBranchesThatWriteTheSameKeyGetAWarning() {
    ProcessGraph graph =
        process()
            .startWith(Step1Command.class)
            .thenParallel()
            .branch(Step2Command.class)
            .branch(branch -> branch.thenWait(Duration.ofHours(1)).then(Step3Command.class))
            .join()
            .end();
    Handlers handlers =
        Handlers.all().returning(Map.of("Step2", Set.of("rate", "a"), "Step3", Set.of("rate")));

    assertOnly(
        check(graph, handlers),
        Severity.ERROR,
        "process 'Test', 'Step3' (Step1 -> fork-1 -> wait-1 -> Step3): it writes 'rate', and so"
            + " does 'Step2' in another branch of 'fork-1' (Step1 -> fork-1 -> Step2): only one"
            + " value would be left, so one of them needs another name");
    assertThat(check(graph, handlers.unknown("Step3"))).isEmpty();
  }

  @Test
  void stepsOfOneBranchMayWriteOneKey() {
    ProcessGraph graph =
        process()
            .startWith(Step1Command.class)
            .thenParallel()
            .branch(branch -> branch.startWith(Step2Command.class).then(Step3Command.class))
            .branch(Undo1Command.class)
            .join()
            .end();
    Map<String, Set<String>> keys = Map.of("Step2", Set.of("rate"), "Step3", Set.of("rate"));

    assertThat(check(graph, Handlers.all().returning(keys))).isEmpty();
  }

  // points of no return

  @Test
  void aStepBehindAPointOfNoReturnThatMayFailForGood() {
    ProcessGraph graph =
        process()
            .startWith(Step1Command.class)
            .pointOfNoReturn()
            .then(Step2Command.class)
            .then(Step3Command.class)
            .withRetry(StepRetry.forever(Duration.ofSeconds(1), Duration.ofMinutes(5)))
            .end();

    assertOnly(
        check(graph, Handlers.all()),
        Severity.WARNING,
        "process 'Test', 'Step2' (Step1 -> Step2): it is behind a point of no return, where nothing"
            + " can be undone, and fails for good after 3 retries;"
            + " withRetry(StepRetry.forever(..)) keeps at it");
    assertThat(
            ProcessValidator.check(
                graph,
                new Configuration(graph, Optional.empty(), Integer.MAX_VALUE),
                Handlers.all()))
        .isEmpty();
  }

  @Test
  void aPointOfNoReturnInABranch() {
    ProcessGraph graph =
        process()
            .startWith(Step1Command.class)
            .thenParallel()
            .branch(Step2Command.class)
            .pointOfNoReturn()
            .branch(Step3Command.class)
            .join()
            .end();

    assertOnly(
        check(graph, Handlers.all()),
        Severity.ERROR,
        "process 'Test', 'Step2' (Step1 -> fork-1 -> Step2): a point of no return cannot be in a"
            + " branch of 'fork-1': another branch may fail and would have to be undone; put it"
            + " behind 'join-1'");
  }

  // time

  @Test
  void aDeadlineThatIsShorterThanTheLongestWay() {
    ProcessGraph graph =
        process()
            .withDeadline(Duration.ofHours(30))
            .startWith(Step1Command.class)
            .withTimeout(Duration.ofHours(1))
            .thenIf("large", data -> true)
            .whenTrue(branch -> branch.thenAwait("approved", Duration.ofHours(24)))
            .thenWait(Duration.ofHours(6))
            .end();

    assertOnly(
        check(graph, Handlers.all()),
        Severity.WARNING,
        "process 'Test', 'Test' (Step1 -> [large] -> await-approved -> wait-1 -> end): its deadline"
            + " is PT30H, and waits and timeouts on this way are PT31H without any retry");
  }

  @Test
  void branchesTakeAsLongAsTheLongest() {
    ProcessGraphBuilder enough = process().withDeadline(Duration.ofHours(3));
    ProcessGraphBuilder tooLittle = process().withDeadline(Duration.ofHours(3).minusNanos(1));

    assertThat(check(twoBranches(enough), Handlers.all())).isEmpty();
    assertThat(check(twoBranches(tooLittle), Handlers.all()))
        .extracting(ProcessFinding::path)
        .containsExactly("Step1 -> fork-1 -> wait-2 -> join-1 -> wait-3 -> end");
  }

  private static ProcessGraph twoBranches(ProcessGraphBuilder builder) {
    return builder
        .startWith(Step1Command.class)
        .thenParallel()
        .branch(branch -> branch.thenWait(Duration.ofHours(1)))
        .branch(branch -> branch.thenWait(Duration.ofHours(2)))
        .join()
        .thenWait(Duration.ofHours(1))
        .end();
  }

  // graphs that the DSL does not make

  private static Node.Step step(String id, String next) {
    return new Node.Step(
        id,
        id,
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        Optional.of(next).filter(each -> !each.isEmpty()));
  }

  private static ProcessGraph graph(Node... nodes) {
    return new ProcessGraph(
        "Test", nodes[0].id(), Optional.empty(), List.of(nodes), Map.of(), Map.of());
  }

  @Test
  void aNodeThatCannotBeReached() {
    assertOnly(
        check(graph(step("A", ""), step("B", "nowhere")), Handlers.all()),
        Severity.ERROR,
        "process 'Test', 'B' (nothing leads there): it cannot be reached: leave it out, or lead a"
            + " branch to it");
  }

  @Test
  void aForkWithoutBranches() {
    ProcessGraph graph =
        graph(
            step("A", "fork-1"),
            new Node.Fork("fork-1", List.of(), "join-1"),
            new Node.Join("join-1", "fork-1", Optional.of("B")),
            step("B", ""));

    assertOnly(
        check(graph, Handlers.all()),
        Severity.ERROR,
        "process 'Test', 'fork-1' (A -> fork-1): it has no branches for 'join-1' to wait for");
  }

  @Test
  void aBranchThatEndsBeforeTheJoin() {
    ProcessGraph graph =
        graph(
            new Node.Fork("fork-1", List.of("A", "B"), "join-1"),
            step("A", "join-1"),
            step("B", ""),
            new Node.Join("join-1", "fork-1", Optional.empty()));

    assertOnly(
        check(graph, Handlers.all()),
        Severity.ERROR,
        "process 'Test', 'fork-1' (fork-1): the branch at 'B' does not lead to 'join-1' on every"
            + " way");
  }

  @Test
  void aWayThatLeadsNowhereOrBack() {
    assertOnly(
        check(graph(step("A", "B")), Handlers.all()),
        Severity.ERROR,
        "process 'Test', 'B' (A -> B): there is no such node");
    assertOnly(
        check(graph(step("A", "B"), step("B", "A")), Handlers.all()),
        Severity.ERROR,
        "process 'Test', 'A' (A -> B -> A): it comes back to itself, and a process only goes"
            + " forward");
  }

  @Test
  void twoNodesWithOneNameAreNoGraph() {
    assertThatThrownBy(() -> graph(step("A", ""), step("A", "")))
        .hasMessage("process 'Test' has two nodes 'A'");
  }

  // the exception

  @Test
  void allErrorsAreInOneMessage() {
    List<ProcessFinding> findings =
        check(
            Processes.payment(),
            Handlers.all().without("BookFx", "CreatePayment"),
            "customerId",
            "amount");

    assertThatThrownBy(() -> ProcessValidator.refuseErrors(findings))
        .isInstanceOfSatisfying(
            ProcessDefinitionException.class,
            failure -> assertThat(failure.errors()).isEqualTo(findings))
        .hasMessageStartingWith("2 error(s) in processes:\n- process 'SimplePayment', 'BookFx' (")
        .hasMessageContaining("\n- process 'SimplePayment', 'CreatePayment' (");
  }

  @Test
  void warningsAreNoReasonToRefuse() {
    List<ProcessFinding> findings = checkUndeclared(Processes.payment(), Handlers.all());

    assertThat(findings).isNotEmpty();
    assertThatCode(() -> ProcessValidator.refuseErrors(findings)).doesNotThrowAnyException();
  }

  @Test
  void manyConditionsDoNotMultiplyTheWays() {
    ProcessLine line = process().startWith(Step1Command.class);
    for (int i = 0; i < 200; i++) {
      line =
          line.thenIf(data -> true)
              .whenTrue("T" + i, Step2Command.class)
              .whenFalse("F" + i, Step3Command.class)
              .endIf();
    }
    ProcessGraph graph = line.then(CreatePaymentCommand.class).end();

    assertThat(check(graph, Handlers.all()))
        .singleElement()
        .satisfies(finding -> assertThat(finding.text()).contains("needs 'transactionId'"));
  }
}
