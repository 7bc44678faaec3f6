package io.postroad.process;

import static io.postroad.process.dsl.Processes.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.postroad.process.Commands.BookFxCommand;
import io.postroad.process.Commands.BookLimitsCommand;
import io.postroad.process.Commands.CompleteAccountCreationCommand;
import io.postroad.process.Commands.CompleteCommand;
import io.postroad.process.Commands.CreateAccountCommand;
import io.postroad.process.Commands.CreateLimitsCommand;
import io.postroad.process.Commands.CreatePaymentCommand;
import io.postroad.process.Commands.CreateTransactionCommand;
import io.postroad.process.Commands.ProcessCommand;
import io.postroad.process.Commands.RejectCommand;
import io.postroad.process.Commands.ReverseLimitsCommand;
import io.postroad.process.Commands.ReverseTransactionCommand;
import io.postroad.process.Commands.Step1Command;
import io.postroad.process.Commands.Step2Command;
import io.postroad.process.Commands.Step3Command;
import io.postroad.process.Commands.UnwindFxCommand;
import io.postroad.process.Commands.ValidateCommand;
import io.postroad.process.dsl.Processes;
import io.postroad.process.dsl.Processes.SimplePaymentProcessDefinition;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each example of the guide, as it is written there, and its drawing. */
class GuideGraphTest {

  @Test
  void sequentialSteps() {
    ProcessGraph graph =
        process()
            .startWith(Step1Command.class)
            .then(Step2Command.class)
            .then(Step3Command.class)
            .end();

    assertThat(Walk.of(graph, Map.of())).isEqualTo("Step1 -> Step2 -> Step3 -> end");
  }

  @Test
  void anOptionalBranchContinuesEitherWay() {
    ProcessGraph graph =
        process()
            .startWith(BookLimitsCommand.class)
            .thenIf(data -> (Boolean) data.get("requiresFx"))
            .whenTrue(BookFxCommand.class)
            .then(CreateTransactionCommand.class)
            .end();

    assertThat(Walk.of(graph, Map.of("requiresFx", true)))
        .isEqualTo("BookLimits -> BookFx -> CreateTransaction -> end");
    assertThat(Walk.of(graph, Map.of("requiresFx", false)))
        .isEqualTo("BookLimits -> CreateTransaction -> end");
  }

  @Test
  @SuppressWarnings("NullAway") // the guide's predicate, as it is written there
  void aFullIfElseMeetsInTheSameCommand() {
    ProcessGraph graph =
        process()
            .startWith(ValidateCommand.class)
            .thenIf(data -> data.get("valid").equals(true))
            .whenTrue(ProcessCommand.class)
            .then(CompleteCommand.class)
            .whenFalse(RejectCommand.class)
            .then(CompleteCommand.class)
            .end();

    assertThat(Walk.of(graph, Map.of("valid", true)))
        .isEqualTo("Validate -> Process -> Complete -> end");
    assertThat(Walk.of(graph, Map.of("valid", false)))
        .isEqualTo("Validate -> Reject -> Complete -> end");
    assertThat(graph.nodes()).extracting(Node::id).containsOnlyOnce("Complete");
  }

  @Test
  void parallelBranchesMeetBeforeTheJoin() {
    assertThat(Walk.edges(Processes.parallel()))
        .isEqualTo(
            """
            Initiate -> fork-1
            fork-1 => BookFx, BookLimits, ValidateBeneficiary => join-1
            BookFx -> join-1
            BookLimits -> join-1
            ValidateBeneficiary -> join-1
            join-1 -> CreatePayment
            CreatePayment -> end""");
  }

  @Test
  void theNextStepAtAForkIsTheFork() {
    ProcessGraph graph = Processes.parallel();

    assertThat(graph.getNextStep("Initiate", Map.of())).hasValue("fork-1");
    assertThat(graph.getNextStep("fork-1", Map.of())).hasValue("CreatePayment");
    assertThat(graph.getNextStep("BookLimits", Map.of())).hasValue("CreatePayment");
  }

  @Test
  void compensations() {
    ProcessGraph graph =
        process()
            .startWith(BookLimitsCommand.class)
            .withCompensation(ReverseLimitsCommand.class)
            .then(BookFxCommand.class)
            .withCompensation(UnwindFxCommand.class)
            .then(CreateTransactionCommand.class)
            .withCompensation(ReverseTransactionCommand.class)
            .then(CreatePaymentCommand.class)
            .end();

    assertThat(Walk.of(graph, Map.of()))
        .isEqualTo("BookLimits -> BookFx -> CreateTransaction -> CreatePayment -> end");
    assertThat(graph.getCompensationStep("BookFx")).hasValue("UnwindFx");
    assertThat(graph.getCompensationStep("CreateTransaction")).hasValue("ReverseTransaction");
    assertThat(graph.requiresCompensation("CreatePayment")).isFalse();
  }

  @Test
  void theLastStepHasNoNextOne() {
    ProcessGraph graph =
        process()
            .startWith(CreateAccountCommand.class)
            .thenIf(data -> (Boolean) data.get("limitBased"))
            .whenTrue(CreateLimitsCommand.class)
            .then(CompleteAccountCreationCommand.class)
            .end();

    assertThat(graph.getNextStep("CompleteAccountCreation", Map.of())).isEmpty();
    assertThat(Walk.of(graph, Map.of("limitBased", true)))
        .isEqualTo("CreateAccount -> CreateLimits -> CompleteAccountCreation -> end");
    assertThat(Walk.of(graph, Map.of("limitBased", false)))
        .isEqualTo("CreateAccount -> CompleteAccountCreation -> end");
  }

  /** Section 7.5, word for word. */
  @Test
  void shouldDefineCorrectProcessFlow() {
    ProcessConfiguration config = new SimplePaymentProcessDefinition();
    ProcessGraph graph = config.defineProcess();

    // Verify initial step
    assertEquals("BookLimits", graph.getInitialStep());

    // Verify next steps
    Optional<String> nextStep = graph.getNextStep("BookLimits", Map.of("requiresFx", true));
    assertTrue(nextStep.isPresent());
    assertEquals("BookFx", nextStep.get());

    // Verify compensation
    assertTrue(graph.requiresCompensation("BookLimits"));
    assertEquals("ReverseLimits", graph.getCompensationStep("BookLimits").get());
  }

  @Test
  void thePaymentProcessHasOneNodeForEachPart() {
    assertThat(Walk.edges(Processes.payment()))
        .isEqualTo(
            """
            BookLimits -> if-1
            if-1 ? BookFx : CreateTransaction
            BookFx -> CreateTransaction
            CreateTransaction -> CreatePayment
            CreatePayment -> end""");
  }

  @Test
  void anUnknownStepIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> Processes.payment().getNextStep("BookLimit", Map.of()))
        .hasMessage(
            "process 'SimplePayment' has no 'BookLimit'; it has [BookLimits, if-1, BookFx,"
                + " CreateTransaction, CreatePayment]");
  }
}
