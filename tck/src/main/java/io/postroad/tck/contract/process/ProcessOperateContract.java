package io.postroad.tck.contract.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.process.dsl.ProcessGraphBuilder;
import io.postroad.store.CommandStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.process.ProcessScene.CreditCommand;
import io.postroad.tck.contract.process.ProcessScene.DebitCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoDebitCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Requests of operators, and when they are refused. */
@StoreContract
@OrderedOnly
public final class ProcessOperateContract {
  private static final String WHO = "operator";
  private static final String WHY = "ticket 7";

  @Test
  void whatRunsIsRecordedAndNothingIsBegunWhileItIsPaused(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    UUID id = scene.start("payment-1");
    scene.manager().pause(id, WHO, WHY);
    scene.manager().pause(id, WHO, "once more");

    scene.runAll();

    assertThat(scene.log(id))
        .containsExactly(
            "ProcessStarted",
            "StepStarted Debit",
            "ProcessPaused",
            "StepCompleted Debit",
            "StepHeld Convert");
    scene.endsAs(id, ProcessStatus.RUNNING);
    scene.manager().resume(id, WHO, WHY);
    scene.manager().resume(id, WHO, "once more");
    scene.runAll();
    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.log(id)).containsOnlyOnce("ProcessResumed", "StepStarted Convert");
  }

  /** The thread that goes on knows the process as it left it, which is not so any more. */
  @Test
  void aStepDuringWhichItsProcessIsChangedIsDoneOnce(StoreUnderTest tck) throws Exception {
    ProcessConfiguration transfer = ProcessScene.configuration(ProcessScene::transfer);
    ProcessScene scene = ProcessScene.of(tck, transfer);
    BaseProcessManager<Object> another = tck.closedAtEnd(scene.node(transfer));
    AtomicBoolean paused = new AtomicBoolean();
    UUID id = scene.start("payment-1");
    scene.when(
        "Convert",
        context -> {
          if (paused.compareAndSet(false, true)) {
            CompletableFuture.runAsync(() -> another.pause(id, WHO, WHY)).get(60, TimeUnit.SECONDS);
          }
          return Map.of();
        });

    scene.runAll();

    assertThat(scene.calls).containsExactly("Debit", "Convert", "Convert");
    assertThat(scene.effects()).containsExactly("Debit", "Convert");
    assertThat(scene.log(id))
        .endsWith(
            "StepStarted Convert", "ProcessPaused", "StepCompleted Convert", "StepHeld Credit");
    assertThat(tck.commands().find(scene.command(id, "Convert")).orElseThrow().attempt())
        .as("only its process was changed")
        .isEqualTo(1);
    scene.manager().resume(id, WHO, WHY);
    scene.runAll();
    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.effects()).containsExactly("Credit", "Notify");
  }

  @Test
  void aRetryIsHeldWhileItIsPaused(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    scene.fails("Debit", "temporary outage");
    UUID id = scene.start("payment-1");
    scene.manager().pause(id, WHO, WHY);
    scene.runAll();
    scene.advance(Duration.ofHours(1));
    assertThat(scene.log(id)).endsWith("StepFailed Debit", "StepHeld Debit");
    assertThat(scene.calls).hasSize(1);

    scene.works("Debit");
    scene.manager().resume(id, WHO, WHY);
    scene.runAll();

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
  }

  @Test
  void undoingWaitsWhileItIsPaused(StoreUnderTest tck) throws Exception {
    ProcessScene scene = oneByOne(tck, ProcessScene::transfer);
    scene.fails("Convert", "closed");
    UUID id = scene.start("payment-1");
    assertThat(scene.manager().runOnce()).isEqualTo(1);
    scene.manager().pause(id, WHO, WHY);

    scene.runAll();

    scene.endsAs(id, ProcessStatus.COMPENSATING);
    assertThat(scene.calls).containsExactly("Debit", "Convert");
    scene.manager().resume(id, WHO, WHY);
    scene.runAll();
    scene.endsAs(id, ProcessStatus.COMPENSATED);
  }

  @Test
  void timersWaitWhileItIsPaused(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessOperateContract::waiting);
    UUID id = scene.run("payment-1");
    scene.manager().pause(id, WHO, WHY);
    scene.advance(Duration.ofDays(2));
    assertThat(scene.log(id)).endsWith("WaitStarted cooling-off", "ProcessPaused");

    scene.manager().resume(id, WHO, WHY);
    scene.runAll();

    assertThat(scene.log(id)).containsOnlyOnce("WaitCompleted cooling-off");
    assertThat(scene.log(id)).endsWith("SignalAwaited await-approved");
  }

  private static ProcessGraph waiting(ProcessGraphBuilder process) {
    return process
        .startWith(DebitCommand.class)
        .withCompensation(UndoDebitCommand.class)
        .thenWait("cooling-off", Duration.ofDays(1))
        .thenAwait("approved", Duration.ofDays(3))
        .then(CreditCommand.class)
        .end();
  }

  @Test
  void aWaitCanBeSkippedAndIsHeldBehindWhilePaused(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessOperateContract::waiting);
    UUID id = scene.run("payment-1");
    scene.manager().skip(id, "cooling-off", WHO, WHY);
    assertThat(scene.log(id)).endsWith("StepSkipped cooling-off", "SignalAwaited await-approved");
    scene.manager().pause(id, WHO, WHY);
    scene.manager().skip(id, "await-approved", WHO, WHY);
    scene.runAll();
    assertThat(scene.log(id)).endsWith("StepSkipped await-approved", "StepHeld Credit");

    scene.manager().resume(id, WHO, WHY);
    scene.runAll();

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    scene.advance(Duration.ofDays(5));
    scene.endsAs(id, ProcessStatus.SUCCEEDED);
  }

  @Test
  void cancelUndoesAllCompletedStepsAtEachStep(StoreUnderTest tck) throws Exception {
    ProcessScene scene = oneByOne(tck, ProcessScene::transfer);
    List<String> done = List.of("Debit", "Convert", "Credit");
    List<String> undone = List.of("UndoCredit", "UndoConvert", "UndoDebit");
    for (int steps = 0; steps <= 3; steps++) {
      UUID id = scene.start("payment-" + steps);
      for (int i = 0; i < steps; i++) {
        assertThat(scene.manager().runOnce()).isEqualTo(1);
      }
      scene.manager().cancel(id, WHO, WHY);
      scene.runAll();

      scene.endsAs(id, steps == 0 ? ProcessStatus.FAILED : ProcessStatus.COMPENSATED);
      assertThat(scene.store().queries().find(id).orElseThrow().summary().failureKind())
          .contains("CANCELLED");
      List<String> all = new ArrayList<>(done.subList(0, steps));
      all.addAll(undone.subList(3 - steps, 3));
      assertThat(scene.effects()).isEqualTo(all);
      refusedEverything(scene, id, "has ended");
    }
  }

  @Test
  void cancelWhileUndoingIsRefused(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    scene.fails("Credit", "closed").fails("UndoConvert", "locked");
    UUID id = scene.run("payment-1");
    scene.endsAs(id, ProcessStatus.COMPENSATING);
    List<String> log = scene.log(id);

    refused(() -> scene.manager().cancel(id, WHO, WHY), "is being undone already");
    refused(() -> scene.manager().retry(id, WHO, WHY), "is COMPENSATING");
    refused(() -> scene.manager().skip(id, "Credit", WHO, WHY), "is COMPENSATING");
    refused(() -> scene.manager().skip(id, "Convert", WHO, WHY), "it is UNDOING");
    refused(() -> scene.manager().signal(id, "approved", Map.of()), "takes no signals");

    assertThat(scene.log(id)).isEqualTo(log);
    scene.works("UndoConvert");
    scene.advance(ProcessScene.UNDO_WAIT.plusSeconds(1));
    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.store().queries().find(id).orElseThrow().summary().failureKind())
        .contains("STEP_FAILED");
    refusedEverything(scene, id, "has ended");
    refused(() -> scene.manager().retry(id, WHO, WHY), "is COMPENSATED");
  }

  @Test
  void terminateEndsItWhereItStands(StoreUnderTest tck) throws Exception {
    ProcessScene scene = oneByOne(tck, ProcessScene::transfer);
    UUID id = scene.start("payment-1");
    assertThat(scene.manager().runOnce()).isEqualTo(1);

    scene.manager().terminate(id, WHO, WHY);
    scene.runAll();

    scene.endsAs(id, ProcessStatus.FAILED);
    assertThat(scene.effects()).as("nothing is undone").containsExactly("Debit");
    assertThat(scene.store().queries().find(id).orElseThrow())
        .satisfies(
            process -> {
              assertThat(process.summary().failureKind()).contains("TERMINATED");
              assertThat(process.summary().failure()).contains("terminated by operator: ticket 7");
            });
    refusedEverything(scene, id, "has ended");
    refused(() -> scene.manager().retry(id, WHO, WHY), "was ended by an operator");
    refused(() -> scene.manager().skip(id, "Convert", WHO, WHY), "was ended by an operator");
  }

  @Test
  void aHandlerTerminatesItsOwnProcess(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    UUID id = scene.start("payment-1");
    scene.when(
        "Convert",
        context -> {
          scene.manager().terminate(id, "Convert", "the account is closed");
          return Map.of();
        });
    scene.runAll();

    scene.endsAs(id, ProcessStatus.FAILED);
    assertThat(scene.store().queries().find(id).orElseThrow())
        .satisfies(
            process -> {
              assertThat(process.summary().failureKind()).contains("TERMINATED");
              assertThat(process.summary().failure().orElseThrow())
                  .contains("the account is closed");
            });
    assertThat(scene.log(id)).doesNotContain("StepFailed Convert");
    assertThat(scene.effects()).as("what it did stays").containsExactly("Debit", "Convert");
    assertThat(scene.calls).containsExactly("Debit", "Convert");
  }

  /** Only what its own run did counts: an operator ends it, and the effect is not wanted. */
  @Test
  void aHandlerWhoseProcessAnOperatorTerminatesRollsBack(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    UUID id = scene.start("payment-1");
    scene.when(
        "Debit",
        context -> {
          tck.async(
                  () -> {
                    scene.manager().terminate(id, "operator", "not wanted");
                    return true;
                  })
              .get(60, TimeUnit.SECONDS);
          return Map.of();
        });
    scene.runAll();

    scene.endsAs(id, ProcessStatus.FAILED);
    assertThat(scene.effects()).isEmpty();
  }

  @Test
  void earlySignalsAreTakenInOrder(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            process ->
                process
                    .startWith(DebitCommand.class)
                    .thenAwait("first", "approved")
                    .thenAwait("second", "approved")
                    .then(CreditCommand.class)
                    .end());
    UUID id = scene.start("payment-1");
    scene.manager().signal(id, "approved", Map.of("one", 1));
    scene.manager().signal(id, "approved", Map.of("two", 2));
    scene.manager().signal(id, "approved", Map.of("three", 3));
    scene.runAll();

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.instance(id).data())
        .containsEntry("one", 1)
        .containsEntry("two", 2)
        .doesNotContainKey("three");
    assertThat(scene.log(id))
        .containsSubsequence("SignalKept", "SignalKept", "SignalIgnored")
        .containsSubsequence("SignalReceived first", "SignalReceived second");
  }

  @Test
  void aBlankBusinessKeyIsRefused(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.start("  "))
        .withMessageContaining("not be blank");
    assertThat(scene.store().queries().counts()).isEmpty();
  }

  @Test
  void terminateEndsUndoing(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    scene.fails("Credit", "closed").fails("UndoConvert", "locked");
    UUID id = scene.run("payment-1");
    scene.works("UndoConvert");

    scene.manager().terminate(id, WHO, WHY);
    scene.advance(Duration.ofDays(1));

    scene.endsAs(id, ProcessStatus.FAILED);
    assertThat(scene.effects()).as("the undo was taken back").containsExactly("Debit", "Convert");
    assertThat(scene.store().queries().find(id).orElseThrow())
        .satisfies(
            process -> {
              assertThat(process.summary().failureKind()).contains("TERMINATED");
              assertThat(process.summary().failure().orElseThrow()).contains("closed", "ticket 7");
            });
    refused(() -> scene.manager().retry(id, WHO, WHY), "was ended by an operator");
  }

  @Test
  void whatFailedCanBeTriedAgainOrSkipped(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    scene.fails("Debit", "no such account");
    UUID again = scene.run("payment-1");
    UUID without = scene.run("payment-2");
    scene.endsAs(again, ProcessStatus.FAILED);
    refused(() -> scene.manager().skip(again, "Convert", WHO, WHY), "has not come to step");
    scene.works("Debit");

    scene.manager().retry(again, WHO, WHY);
    scene.runAll();
    scene.endsAs(again, ProcessStatus.SUCCEEDED);
    assertThat(scene.effects()).containsExactly("Debit", "Convert", "Credit", "Notify");
    assertThat(scene.store().queries().find(again).orElseThrow().summary().failure()).isEmpty();

    scene.manager().skip(without, "Debit", WHO, WHY);
    scene.runAll();
    scene.endsAs(without, ProcessStatus.SUCCEEDED);
    assertThat(scene.effects()).containsExactly("Convert", "Credit", "Notify");
    refused(() -> scene.manager().retry(without, WHO, WHY), "is SUCCEEDED");
    refused(() -> scene.manager().skip(without, "Convert", WHO, WHY), "it is COMPLETED");
    refusedEverything(scene, without, "has ended");
  }

  @Test
  void attemptsAreCountedFromOneAfterARetry(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    scene.fails("Debit", "temporary outage");
    UUID id = scene.run("payment-1");
    scene.advance(Duration.ofMinutes(1));
    scene.advance(Duration.ofMinutes(1));
    scene.advance(Duration.ofMinutes(1));
    scene.endsAs(id, ProcessStatus.FAILED);
    assertThat(scene.calls).hasSize(4);

    scene.manager().retry(id, WHO, WHY);
    scene.runAll();
    scene.endsAs(id, ProcessStatus.RUNNING);
    assertThat(scene.instance(id).retries()).isEqualTo(1);
    scene.advance(Duration.ofMinutes(1));
    scene.advance(Duration.ofMinutes(1));
    scene.works("Debit");
    scene.advance(Duration.ofMinutes(1));

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(attempts(scene, id)).containsExactly(1, 2, 3, 4, 1, 2, 3, 4);
    assertThat(scene.commands().find(scene.command(id, "Debit:8")).orElseThrow().status())
        .as("the eighth command has a key of its own")
        .isEqualTo(CommandStatus.COMPLETED);
    assertThat(scene.effects()).containsExactly("Debit", "Convert", "Credit", "Notify");
  }

  private static List<Integer> attempts(ProcessScene scene, UUID id) {
    List<Integer> attempts = new ArrayList<>();
    for (ProcessEvent event : scene.manager().getProcessLogRepository().findByProcessId(id)) {
      if (event instanceof ProcessEvent.StepStarted started && started.step().equals("Debit")) {
        attempts.add(started.attempt());
      } else if (event instanceof ProcessEvent.RetryScheduled retry) {
        attempts.add(retry.attempt());
      }
    }
    return attempts;
  }

  @Test
  void whatHasFailedWhileItWasPausedIsResumedFirst(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    scene.fails("Debit", "no such account");
    UUID id = scene.start("payment-1");
    scene.manager().pause(id, WHO, WHY);
    scene.runAll();
    scene.endsAs(id, ProcessStatus.FAILED);
    scene.works("Debit");

    refused(() -> scene.manager().retry(id, WHO, WHY), "is paused: resume it first");
    refused(() -> scene.manager().skip(id, "Debit", WHO, WHY), "is paused: resume it first");
    scene.runAll();
    assertThat(scene.calls).hasSize(1);
    scene.manager().resume(id, WHO, WHY);
    scene.manager().retry(id, WHO, WHY);
    scene.runAll();

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
  }

  @Test
  void aKeyThatAnotherProcessHasByNowKeepsAFailedOneEnded(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    scene.fails("Debit", "no such account");
    UUID first = scene.run("payment-1");
    scene.works("Debit");
    UUID second = scene.start("payment-1");

    assertThatThrownBy(() -> scene.manager().retry(first, WHO, WHY));

    scene.endsAs(first, ProcessStatus.FAILED);
    scene.runAll();
    scene.endsAs(second, ProcessStatus.SUCCEEDED);
    scene.manager().retry(first, WHO, WHY);
    scene.runAll();
    scene.endsAs(first, ProcessStatus.SUCCEEDED);
  }

  @Test
  void requestsNeedAnActorAReasonAndAnExistingProcess(StoreUnderTest tck) throws Exception {
    BaseProcessManager<Object> manager = ProcessScene.of(tck, ProcessScene::transfer).manager();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> manager.pause(UUID.randomUUID(), " ", WHY))
        .withMessageContaining("actor and reason must not be blank");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> manager.terminate(UUID.randomUUID(), WHO, ""))
        .withMessageContaining("actor and reason must not be blank");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> manager.cancel(UUID.randomUUID(), WHO, WHY))
        .withMessageContaining("there is no process");
  }

  private static ProcessScene oneByOne(
      StoreUnderTest tck, Function<ProcessGraphBuilder, ProcessGraph> graph) throws Exception {
    return ProcessScene.of(
        tck, ProcessScene.configuration(graph), ProcessScene::oneByOne, builder -> builder);
  }

  private static void refusedEverything(ProcessScene scene, UUID id, String why) {
    List<String> log = scene.log(id);
    refused(() -> scene.manager().pause(id, WHO, WHY), why);
    refused(() -> scene.manager().resume(id, WHO, WHY), why);
    refused(() -> scene.manager().cancel(id, WHO, WHY), why);
    refused(() -> scene.manager().terminate(id, WHO, WHY), why);
    assertThat(scene.log(id)).as("nothing was changed").isEqualTo(log);
  }

  private static void refused(ThrowingCallable verb, String why) {
    assertThatIllegalStateException().isThrownBy(verb).withMessageContaining(why);
  }
}
