package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.process.ProcessScene.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.postroad.process.ProcessAlreadyActiveException;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessStatus;
import io.postroad.process.dsl.ProcessGraphBuilder;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.process.ProcessScene.ConvertCommand;
import io.postroad.tck.contract.process.ProcessScene.CreditCommand;
import io.postroad.tck.contract.process.ProcessScene.DebitCommand;
import io.postroad.tck.contract.process.ProcessScene.NotifyCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoConvertCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoCreditCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoDebitCommand;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Processes from their start to their end, with handlers in the same database. */
@StoreContract
@OrderedOnly
public final class ProcessFlowContract {

  @Test
  void stepsAreDoneOneAfterTheOther(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);

    UUID id = scene.run("payment-1");

    assertThat(scene.log(id))
        .containsExactly(
            "ProcessStarted",
            "StepStarted Debit",
            "StepCompleted Debit",
            "StepStarted Convert",
            "StepCompleted Convert",
            "StepStarted Credit",
            "StepCompleted Credit",
            "StepStarted Notify",
            "StepCompleted Notify",
            "ProcessCompleted");
    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.effects()).containsExactly("Debit", "Convert", "Credit", "Notify");
    ProcessInstance instance = scene.instance(id);
    assertThat(instance.businessKey()).isEqualTo("payment-1");
    assertThat(instance.currentStep()).isEqualTo("Notify");
    assertThat(instance.data())
        .containsKeys("account", "DebitId", "ConvertId", "CreditId", "NotifyId");
  }

  @Test
  void theStartAndTheDataOfTheCallerAreOneCommit(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);

    UserTransaction rolledBack = tck.begin();
    UUID gone =
        scene.manager().startProcess(rolledBack.handle(), TYPE, "payment-1", Map.of("account", 1));
    rolledBack.rollback();
    scene.runAll();
    assertThat(scene.manager().getProcessRepository().findById(gone)).isEmpty();
    assertThat(scene.store().queries().list(ProcessFilter.all(), 10)).isEmpty();
    assertThat(scene.calls).isEmpty();

    UserTransaction committed = tck.begin();
    UUID id =
        scene.manager().startProcess(committed.handle(), TYPE, "payment-1", Map.of("account", 1));
    committed.commit();
    scene.runAll();
    scene.endsAs(id, ProcessStatus.SUCCEEDED);
  }

  @Test
  void aSecondStartWithAnActiveKeyIsRefused(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    UUID first = scene.start("payment-1");

    assertThatExceptionOfType(ProcessAlreadyActiveException.class)
        .isThrownBy(() -> scene.start("payment-1"))
        .withMessageContaining(first.toString())
        .withMessageContaining("payment-1")
        .satisfies(refused -> assertThat(refused.processId()).isEqualTo(first));

    scene.runAll();
    scene.endsAs(first, ProcessStatus.SUCCEEDED);
    assertThat(scene.run("payment-1")).as("after the first has ended").isNotEqualTo(first);
  }

  @Test
  void anUnknownTypeAndDataThatIsNoJsonAreRefused(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.manager().startProcess("Nothing", "key", Map.of()))
        .withMessage("Unknown process type: Nothing; known are [Transfer]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.manager().startProcess(TYPE, "key", Map.of("odd", new Object())))
        .withMessageContaining("cannot be written as JSON");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.manager().startProcess(TYPE, "", Map.of()))
        .withMessageContaining("1 to 255");
    assertThat(scene.store().queries().list(ProcessFilter.all(), 10)).isEmpty();
  }

  @Test
  void aFailedStepHasTheOnesBeforeItUndoneInReverse(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    scene.fails("Credit", "InsufficientFunds");

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.log(id))
        .containsSubsequence(
            "StepStarted Credit",
            "StepFailed Credit",
            "ProcessCompensating",
            "CompensationStarted Convert",
            "CompensationCompleted Convert",
            "CompensationStarted Debit",
            "CompensationCompleted Debit",
            "ProcessCompensated");
    assertThat(scene.effects())
        .as("what Credit did was rolled back")
        .containsExactly("Debit", "Convert", "UndoConvert", "UndoDebit");
    assertThat(scene.store().queries().find(id).orElseThrow().summary().failure().orElseThrow())
        .as("the first cause is still there")
        .contains("Credit", "IllegalStateException: InsufficientFunds");
  }

  @Test
  void whereNothingWasDoneThereIsNothingToUndo(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    scene.fails("Debit", "no such account");

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.FAILED);
    assertThat(scene.effects()).isEmpty();
  }

  @Test
  void aMissingComponentFailsTheStepAndIsNamed(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);

    UUID id = scene.manager().startProcess(TYPE, "payment-1", Map.of("amount", 1));
    scene.runAll();

    scene.endsAs(id, ProcessStatus.FAILED);
    assertThat(scene.store().queries().find(id).orElseThrow().summary().failure().orElseThrow())
        .contains("Debit needs 'account'");
  }

  @Test
  void whatMayWorkLaterIsTriedAgainLater(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    scene.fails("Convert", "temporary outage");

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.RUNNING);
    assertThat(scene.log(id)).endsWith("StepFailed Convert", "RetryScheduled Convert");
    assertThat(scene.instance(id).currentStep()).isEqualTo("Convert");
    assertThat(scene.instance(id).retries()).isEqualTo(1);
    scene.works("Convert");
    scene.runAll();
    scene.endsAs(id, ProcessStatus.RUNNING);

    scene.advance(Duration.ofSeconds(2));
    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.effects()).containsExactly("Debit", "Convert", "Credit", "Notify");
  }

  @Test
  void afterThreeRetriesItIsUndone(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    scene.fails("Convert", "temporary outage");

    UUID id = scene.run("payment-1");
    for (int i = 0; i < 3; i++) {
      scene.advance(Duration.ofSeconds(10));
    }

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.calls.stream().filter("Convert"::equals)).hasSize(4);
    assertThat(scene.effects()).containsExactly("Debit", "UndoDebit");
  }

  @Test
  void aConditionIsAnsweredOnceAndASkippedBranchIsNotUndone(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .thenIf("foreign", data -> (Boolean) data.get("foreign"))
                    .whenTrue(ConvertCommand.class)
                    .withCompensation(UndoConvertCommand.class)
                    .then(CreditCommand.class)
                    .end());
    UUID abroad =
        scene.manager().startProcess(TYPE, "payment-1", Map.of("account", "a", "foreign", true));
    scene.runAll();
    scene.endsAs(abroad, ProcessStatus.SUCCEEDED);
    assertThat(scene.effects()).containsExactly("Debit", "Convert", "Credit");

    scene.fails("Credit", "closed");
    UUID home =
        scene.manager().startProcess(TYPE, "payment-2", Map.of("account", "a", "foreign", false));
    scene.runAll();
    scene.endsAs(home, ProcessStatus.COMPENSATED);
    assertThat(scene.effects()).containsExactly("Debit", "UndoDebit");
  }

  @Test
  void aConditionThatThrowsUndoesTheProcess(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .thenIf("foreign", data -> (Boolean) data.get("foreign"))
                    .whenTrue(ConvertCommand.class)
                    .end());

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.store().queries().find(id).orElseThrow())
        .satisfies(
            process -> {
              assertThat(process.summary().failureKind()).contains("CONDITION_FAILED");
              assertThat(process.summary().failure().orElseThrow()).contains("foreign");
            });
  }

  @Test
  void branchesMeetOnceAndTheirDataIsMerged(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessFlowContract::parallel);
    scene.when("Convert", context -> Map.of("rate", new BigDecimal("1.2500"), "by", "convert"));
    scene.when("Credit", context -> Map.of("credited", true, "by", "credit"));

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.log(id)).containsOnlyOnce("BranchesJoined join-1", "StepStarted Notify");
    assertThat(scene.log(id)).contains("DataConflict join-1");
    assertThat(scene.instance(id).data())
        .containsEntry("rate", new BigDecimal("1.2500"))
        .containsEntry("credited", true)
        .containsEntry("by", "credit");
    assertThat(scene.effects())
        .containsExactlyInAnyOrder("Debit", "Convert", "Credit", "Notify")
        .endsWith("Notify");
  }

  @Test
  void aBranchThatFailsHasTheOthersUndone(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessFlowContract::parallel);
    scene.fails("Credit", "closed");

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.effects()).startsWith("Debit").endsWith("UndoDebit").doesNotContain("Notify");
    assertThat(scene.log(id))
        .containsAnyOf("CompensationCompleted Convert", "StepRecalled Convert");
  }

  private static ProcessGraph parallel(ProcessGraphBuilder process) {
    return process
        .startWith(DebitCommand.class)
        .withCompensation(UndoDebitCommand.class)
        .thenParallel()
        .branch(ConvertCommand.class)
        .withCompensation(UndoConvertCommand.class)
        .branch(CreditCommand.class)
        .withCompensation(UndoCreditCommand.class)
        .joinAt(NotifyCommand.class)
        .end();
  }

  @Test
  void timeAndSignalsAreWaitedFor(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .thenWait(Duration.ofDays(30))
                    .thenAwait("approved", Duration.ofDays(3))
                    .then(CreditCommand.class)
                    .end());
    UUID approved = scene.run("payment-1");
    UUID forgotten = scene.run("payment-2");

    scene.advance(Duration.ofDays(29));
    assertThat(scene.effects()).containsExactly("Debit", "Debit");
    scene.advance(Duration.ofDays(2));
    scene.manager().signal(approved, "approved", Map.of("by", "the boss"));
    scene.advance(Duration.ofDays(4));

    scene.endsAs(approved, ProcessStatus.SUCCEEDED);
    assertThat(scene.instance(approved).data()).containsEntry("by", "the boss");
    scene.endsAs(forgotten, ProcessStatus.COMPENSATED);
    assertThat(scene.store().queries().find(forgotten).orElseThrow().summary().failureKind())
        .contains("SIGNAL_TIMED_OUT");
  }
}
