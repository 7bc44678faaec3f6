package io.postroad.test.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.command.DomainCommand;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.SafetyRules;
import io.postroad.internal.process.engine.StepProgress;
import io.postroad.process.Node;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepState;
import io.postroad.process.dsl.Branch;
import io.postroad.process.dsl.ProcessGraphBuilder;
import io.postroad.process.dsl.ProcessStep;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Checks these definitions with the engine of production, and finds each broken engine. */
class ModelCheckTest {
  record Step1Command() implements DomainCommand {}

  record Step2Command() implements DomainCommand {}

  record Step3Command() implements DomainCommand {}

  record Undo1Command() implements DomainCommand {}

  record CompleteCommand() implements DomainCommand {}

  record NotifyCommand() implements DomainCommand {}

  record BookLimitsCommand() implements DomainCommand {}

  record BookFxCommand() implements DomainCommand {}

  record CreateTransactionCommand() implements DomainCommand {}

  record CreatePaymentCommand() implements DomainCommand {}

  @Test
  void thePaymentOfTheGuide() {
    ModelCheck.Report report = ModelCheck.of(payment());

    System.out.println("model check of the guide's payment: " + report);
    assertThat(report.ends())
        .containsOnlyKeys(ProcessStatus.SUCCEEDED, ProcessStatus.COMPENSATED, ProcessStatus.FAILED);
  }

  @Test
  void threeBranchesOfTwoSteps() {
    ModelCheck.Report report = ModelCheck.of(threeBranches(), new SafetyRules(), 0, 5_000_000);

    System.out.println("model check of three branches of two steps: " + report);
    assertThat(report.ends())
        .containsOnlyKeys(ProcessStatus.SUCCEEDED, ProcessStatus.COMPENSATED, ProcessStatus.FAILED);
  }

  @Test
  void waitsSignalsDeadlinesAndThePointOfNoReturn() {
    ModelCheck.Report report =
        ModelCheck.of(
            process()
                .startWith(Step1Command.class)
                .withCompensation(Undo1Command.class)
                .thenWait(Duration.ofDays(30))
                .thenAwait("approved", Duration.ofDays(3))
                .then(Step2Command.class)
                .pointOfNoReturn()
                .then(NotifyCommand.class)
                .withDeadline(Duration.ofDays(90))
                .end());

    assertThat(report.ends())
        .containsOnlyKeys(ProcessStatus.SUCCEEDED, ProcessStatus.COMPENSATED, ProcessStatus.FAILED);
  }

  @Test
  void aPointOfNoReturnThatCanBeUndone() {
    ModelCheck.Report report =
        ModelCheck.of(
            process()
                .startWith(Step1Command.class)
                .withCompensation(Undo1Command.class)
                .then(Step2Command.class)
                .withCompensation(Undo1Command.class)
                .pointOfNoReturn()
                .then(NotifyCommand.class)
                .end());

    assertThat(report.ends())
        .containsOnlyKeys(ProcessStatus.SUCCEEDED, ProcessStatus.COMPENSATED, ProcessStatus.FAILED);
  }

  @Test
  void aLostJoinIsFound() {
    finds(
        "nothing is pending",
        new SafetyRules() {
          @Override
          public boolean isJoinComplete(Node.Fork fork, List<Integer> arrived) {
            return arrived.size() > fork.branches().size();
          }
        });
  }

  @Test
  void aJoinThatDoesNotWaitIsFound() {
    finds(
        "goes on while",
        new SafetyRules() {
          @Override
          public boolean isJoinComplete(Node.Fork fork, List<Integer> arrived) {
            return arrived.size() == fork.branches().size() - 1;
          }
        });
  }

  @Test
  void aDoubleJoinIsFound() {
    finds(
        "join-1",
        new SafetyRules() {
          @Override
          public boolean isJoinComplete(Node.Fork fork, List<Integer> arrived) {
            return true;
          }

          @Override
          public boolean mayJoin(ProcessState state, Node.Join join) {
            return true;
          }
        });
  }

  @Test
  void anUndoOutOfOrderIsFound() {
    finds(
        "which came later",
        new SafetyRules() {
          @Override
          public Comparator<StepProgress> undoOrder() {
            return Comparator.comparingLong(StepProgress::order);
          }
        });
  }

  @Test
  void anUndoOfWhatWasNotDoneIsFound() {
    finds(
        "which has no effect",
        new SafetyRules() {
          @Override
          public boolean isToUndo(ProcessState state, Node.Step step, StepProgress mark) {
            return super.isToUndo(state, step, mark)
                || (step.undo().isPresent() && mark.state() == StepState.RECALLED);
          }
        });
  }

  @Test
  void aMissedUndoIsFound() {
    finds(
        "b2",
        new SafetyRules() {
          @Override
          public boolean isToUndo(ProcessState state, Node.Step step, StepProgress mark) {
            return super.isToUndo(state, step, mark) && !step.id().equals("b2");
          }
        });
  }

  @Test
  void anUndoThatForgetsWhatMayBeDoneIsFound() {
    finds(
        "was not undone",
        new SafetyRules() {
          @Override
          public boolean isToUndo(ProcessState state, Node.Step step, StepProgress mark) {
            return super.isToUndo(state, step, mark) && mark.state() == StepState.COMPLETED;
          }
        });
  }

  @Test
  void aStaleReplyThatAdvancesIsFound() {
    assertThatThrownBy(
            () ->
                ModelCheck.of(
                    payment(),
                    new SafetyRules() {
                      @Override
                      public boolean isAwaited(StepProgress mark, UUID command) {
                        return mark.state().isSent() && mark.commands().contains(command);
                      }
                    },
                    1,
                    5_000_000))
        .isInstanceOf(ModelCheckException.class);
  }

  @Test
  void aTerminalStatusThatIsLeftIsFound() {
    finds(
        "it left",
        new SafetyRules() {
          @Override
          public boolean isUndoing(ProcessState state) {
            return state.status() != ProcessStatus.RUNNING;
          }
        });
  }

  @Test
  void aProcessThatGoesOnAfterItFailedIsFound() {
    finds(
        "is begun after it failed",
        new SafetyRules() {
          @Override
          public boolean isGoingOn(ProcessState state) {
            return state.status().isActive();
          }
        });
  }

  @Test
  void aProcessWithNothingPendingIsFound() {
    finds(
        "nothing is pending",
        new SafetyRules() {
          @Override
          public boolean isDrained(ProcessState state) {
            return super.isDrained(state) && state.in(StepState.RECALLED).findAny().isEmpty();
          }
        });
  }

  @Test
  void anUndoThatDoesNotWaitForWhatRunsIsFound() {
    assertThatThrownBy(
            () ->
                ModelCheck.of(
                    threeBranches(),
                    new SafetyRules() {
                      @Override
                      public boolean isDrained(ProcessState state) {
                        return true;
                      }
                    },
                    0,
                    5_000_000))
        .isInstanceOf(ModelCheckException.class);
  }

  private static void finds(String what, SafetyRules broken) {
    assertThatThrownBy(() -> ModelCheck.of(threeBranches(), broken, 0, 5_000_000))
        .isInstanceOf(ModelCheckException.class)
        .hasMessageContaining(what)
        .hasMessageContaining("process 'Test'")
        .hasMessageContaining("start -> ");
  }

  private static final class TestProcess implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return "Test";
    }

    @Override
    public ProcessGraph defineProcess() {
      throw new UnsupportedOperationException("each test builds its own graph");
    }
  }

  private static ProcessGraphBuilder process() {
    return new TestProcess().process();
  }

  /** Returns the payment of the guide. */
  private static ProcessGraph payment() {
    return process()
        .startWith(BookLimitsCommand.class)
        .withCompensation(Undo1Command.class)
        .thenIf(data -> (Boolean) data.get("requiresFx"))
        .whenTrue(BookFxCommand.class)
        .withCompensation(Undo1Command.class)
        .then(CreateTransactionCommand.class)
        .withCompensation(Undo1Command.class)
        .then(CreatePaymentCommand.class)
        .end();
  }

  private static ProcessGraph threeBranches() {
    return process()
        .startWith(Step1Command.class)
        .withCompensation(Undo1Command.class)
        .thenParallel()
        .branch(branch -> two(branch, "a"))
        .branch(branch -> two(branch, "b"))
        .branch(branch -> two(branch, "c"))
        .joinAt(CompleteCommand.class)
        .end();
  }

  private static ProcessStep two(Branch branch, String name) {
    return branch
        .startWith(name + "1", Step2Command.class)
        .withCompensation(Undo1Command.class)
        .then(name + "2", Step3Command.class)
        .withCompensation(Undo1Command.class);
  }
}
