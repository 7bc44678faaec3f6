package io.postroad.tck.contract.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandReply;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.process.dsl.ProcessGraphBuilder;
import io.postroad.process.dsl.ProcessStep;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.process.ProcessScene.ConvertCommand;
import io.postroad.tck.contract.process.ProcessScene.CreditCommand;
import io.postroad.tck.contract.process.ProcessScene.DebitCommand;
import io.postroad.tck.contract.process.ProcessScene.NotifyCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoConvertCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoCreditCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoDebitCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Completed steps are undone in reverse order, in all branches, under all circumstances. */
@StoreContract
@OrderedOnly
public final class ProcessUndoContract {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Test
  void anUndoThatFailsIsTriedAgain(StoreUnderTest tck) throws Exception {
    ProcessScene scene = undoFails(tck);
    UUID id = scene.run("payment-1");
    for (int i = 0; i < 2; i++) {
      scene.endsAs(id, ProcessStatus.COMPENSATING);
      scene.advance(ProcessScene.UNDO_WAIT.plusSeconds(1));
    }
    scene.works("UndoConvert");
    scene.advance(ProcessScene.UNDO_WAIT.plusSeconds(1));

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(Collections.frequency(scene.calls, "UndoConvert")).isEqualTo(4);
    assertThat(scene.effects()).containsExactly("Debit", "Convert", "UndoConvert", "UndoDebit");
  }

  @Test
  void theTimeoutOfAStepIsNotThatOfItsUndo(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        queuedUndo(tck, step -> step.withCompensation(UndoDebitCommand.class).withTimeout(TIMEOUT));
    UUID id = onlyOne(scene);

    tck.advance(TIMEOUT.multipliedBy(2));
    scene.runAll();

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.log(id)).doesNotContain("CompensationFailed Debit");
  }

  @Test
  void anUndoWithATimeoutOfItsOwnIsTriedAgain(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        queuedUndo(tck, step -> step.withCompensation(UndoDebitCommand.class, TIMEOUT));
    UUID id = onlyOne(scene);

    tck.advance(TIMEOUT.multipliedBy(2));
    scene.runAll();
    assertThat(scene.log(id)).contains("CompensationFailed Debit");
    scene.advance(ProcessScene.UNDO_WAIT.plusSeconds(1));

    scene.endsAs(id, ProcessStatus.COMPENSATED);
  }

  /** The undo of the only step waits in the queue. */
  private static ProcessScene queuedUndo(StoreUnderTest tck, UnaryOperator<ProcessStep> settings)
      throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            process ->
                settings.apply(process.startWith(DebitCommand.class)).thenAwait("approved").end());
    UUID id = scene.run("payment-1");
    scene.manager().cancel(id, "operator", "not wanted");
    assertThat(scene.log(id)).endsWith("CompensationStarted Debit");
    return scene;
  }

  private static UUID onlyOne(ProcessScene scene) {
    return scene.store().queries().list(ProcessFilter.all(), 1).get(0).id();
  }

  @Test
  void aFailedUndoWaitsForTheRetryOfAnOperator(StoreUnderTest tck) throws Exception {
    ProcessScene scene = undoFails(tck);
    UUID id = stuck(scene);
    assertThat(scene.store().queries().find(id).orElseThrow())
        .satisfies(
            process -> {
              assertThat(process.summary().failureKind()).contains("COMPENSATION_FAILED");
              assertThat(process.summary().failure().orElseThrow())
                  .as("both causes")
                  .contains("closed", "locked");
            });
    assertThat(scene.effects()).as("the rest stays").containsExactly("Debit", "Convert");

    scene.manager().retry(id, "operator", "try once more");
    scene.runAll();
    scene.endsAs(id, ProcessStatus.FAILED);
    scene.works("UndoConvert");
    scene.manager().retry(id, "operator", "unlocked by hand");
    scene.runAll();

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.effects()).containsExactly("UndoConvert", "UndoDebit");
    assertThat(scene.store().queries().find(id).orElseThrow().summary().failure().orElseThrow())
        .as("the first cause is still there")
        .contains("closed")
        .doesNotContain("locked");
  }

  @Test
  void anUndoCanBeSkipped(StoreUnderTest tck) throws Exception {
    ProcessScene scene = undoFails(tck);
    UUID id = stuck(scene);

    scene.manager().skip(id, "Convert", "operator", "undone by hand");
    scene.runAll();

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.log(id)).contains("CompensationSkipped Convert");
    assertThat(scene.effects()).containsExactly("Debit", "Convert", "UndoDebit");
  }

  private static ProcessScene undoFails(StoreUnderTest tck) throws Exception {
    return ProcessScene.of(tck, ProcessScene::transfer)
        .fails("Credit", "closed")
        .fails("UndoConvert", "locked");
  }

  /** One whose undo failed so often that it is not tried again. */
  private static UUID stuck(ProcessScene scene) throws Exception {
    UUID id = scene.run("payment-1");
    for (int i = 0; i < 5; i++) {
      scene.advance(ProcessScene.UNDO_WAIT.plusSeconds(1));
    }
    scene.endsAs(id, ProcessStatus.FAILED);
    assertThat(Collections.frequency(scene.calls, "UndoConvert")).isEqualTo(4);
    return id;
  }

  @Test
  void whatWasDoneInABranchOfABranchIsUndone(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessUndoContract::nested);
    UUID fine = scene.run("payment-1");
    scene.endsAs(fine, ProcessStatus.SUCCEEDED);
    assertThat(scene.log(fine))
        .containsSubsequence("BranchesJoined join-2", "BranchesJoined join-1", "StepStarted Notify")
        .containsOnlyOnce("BranchesJoined join-1", "BranchesJoined join-2");

    scene.fails("Notify", "no address");
    UUID id = scene.run("payment-2");

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    List<String> done = about(scene, id, "StepCompleted");
    assertThat(done).containsExactlyInAnyOrder("Debit", "Outer", "First", "Left", "Right");
    Collections.reverse(done);
    assertThat(about(scene, id, "CompensationCompleted")).isEqualTo(done);
  }

  private static ProcessGraph nested(ProcessGraphBuilder process) {
    return process
        .startWith(DebitCommand.class)
        .withCompensation(UndoDebitCommand.class)
        .thenParallel()
        .branch("Outer", ConvertCommand.class)
        .withCompensation(UndoConvertCommand.class)
        .branch(
            branch ->
                branch
                    .startWith("First", DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .thenParallel()
                    .branch("Left", ConvertCommand.class)
                    .withCompensation(UndoConvertCommand.class)
                    .branch("Right", CreditCommand.class)
                    .withCompensation(UndoCreditCommand.class)
                    .join())
        .joinAt(NotifyCommand.class)
        .end();
  }

  /** The clock stands still where a store has one that can. */
  @Test
  void whatEndsAtTheSameTimeIsUndoneInReverse(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessUndoContract::nested);
    scene.fails("Notify", "no address");
    UUID id = scene.run("payment-1");

    List<Instant> times =
        Processes.logOf(scene.store(), id).stream().map(ProcessLogEntry::createdAt).toList();
    for (int i = 1; i < times.size(); i++) {
      assertThat(times.get(i)).as("entry %d", i + 1).isAfter(times.get(i - 1));
    }
    List<String> done = about(scene, id, "StepCompleted");
    Collections.reverse(done);
    assertThat(about(scene, id, "CompensationStarted")).isEqualTo(done);
  }

  @Test
  void aBranchFailsWhileOthersAreDoneQueuedRetryingAndSent(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            ProcessScene.configuration(ProcessUndoContract::fiveBranches),
            bus ->
                ProcessScene.oneByOne(bus)
                    .send("Credit", "APP.CMD.CREDIT.Q")
                    .replyTo("APP.CMD.REPLY.Q")
                    .owner("bank"),
            builder -> builder);
    AtomicInteger calls = new AtomicInteger();
    scene.when(
        "Convert",
        context -> {
          if (calls.incrementAndGet() == 2) {
            throw new IllegalStateException("temporary outage");
          }
          return Map.of();
        });
    UUID id = scene.start("payment-1");
    while (calls.get() < 2) {
      assertThat(scene.manager().runOnce()).isEqualTo(1);
    }
    String done = about(scene, id, "StepCompleted").get(1);
    String retrying = about(scene, id, "RetryScheduled").get(0);
    List<String> queued = new ArrayList<>(List.of("A", "B", "C"));
    queued.removeAll(List.of(done, retrying));

    UUID fails = scene.command(id, "Fails");
    assertThat(scene.manager().handleReply(id, CommandReply.failed(fails, fails, "account closed")))
        .isTrue();
    scene.runAll();

    scene.endsAs(id, ProcessStatus.COMPENSATING);
    assertThat(scene.log(id))
        .contains("StepRecalled " + retrying, "StepRecalled " + queued.get(0))
        .as("one is still waited for")
        .doesNotContain("CompensationStarted " + done);
    UUID sent = scene.command(id, "Sent");
    assertThat(scene.manager().handleReply(id, CommandReply.completed(sent, sent, Map.of())))
        .isTrue();
    scene.runAll();

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(about(scene, id, "CompensationCompleted")).containsExactly("Sent", done, "Debit");
    assertThat(calls).as("nothing was begun any more").hasValue(2);
  }

  private static ProcessGraph fiveBranches(ProcessGraphBuilder process) {
    return process
        .startWith(DebitCommand.class)
        .withCompensation(UndoDebitCommand.class)
        .thenParallel()
        .branch("A", ConvertCommand.class)
        .withCompensation(UndoConvertCommand.class)
        .branch("B", ConvertCommand.class)
        .withCompensation(UndoConvertCommand.class)
        .branch("C", ConvertCommand.class)
        .withCompensation(UndoConvertCommand.class)
        .branch("Sent", CreditCommand.class)
        .withCompensation(UndoCreditCommand.class)
        .branch("Fails", CreditCommand.class)
        .withCompensation(UndoCreditCommand.class)
        .joinAt(NotifyCommand.class)
        .end();
  }

  /** The steps that have a line of this kind in the log, in order. */
  private static List<String> about(ProcessScene scene, UUID id, String event) {
    List<String> steps = new ArrayList<>();
    for (String line : scene.log(id)) {
      if (line.startsWith(event + " ")) {
        steps.add(line.substring(event.length() + 1));
      }
    }
    return steps;
  }
}
