package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.process.ProcessScene.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.JsonCodec;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessExplanation;
import io.postroad.process.ProcessSignal;
import io.postroad.process.ProcessStatus;
import io.postroad.process.UndoPreview;
import io.postroad.spi.StoredCommand;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.command.CommandScene;
import io.postroad.tck.contract.process.ProcessScene.CreditCommand;
import io.postroad.tck.contract.process.ProcessScene.DebitCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoDebitCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Explanations and previews for operators; no request waits for a handler. */
@StoreContract
@OrderedOnly
public final class ProcessExplainContract {
  private static final String WHO = "operator";
  private static final String WHY = "ticket 7";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void cancelUndoesExactlyTheStepsOfItsPreview(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            ProcessScene.configuration(ProcessScene::transfer),
            ProcessScene::oneByOne,
            builder -> builder);
    for (int steps = 0; steps <= 3; steps++) {
      UUID id = scene.start("payment-" + steps);
      for (int i = 0; i < steps; i++) {
        assertThat(scene.manager().runOnce()).isEqualTo(1);
      }
      boolean isPaused = steps == 2;
      if (isPaused) {
        scene.manager().pause(id, WHO, WHY);
      }
      List<String> log = scene.log(id);
      List<UndoPreview> preview = scene.manager().previewCancel(id);
      assertThat(scene.log(id)).as("a preview changes nothing").isEqualTo(log);
      scene.manager().cancel(id, WHO, WHY);
      if (isPaused) {
        scene.manager().resume(id, WHO, WHY);
      }
      scene.runAll();

      assertThat(preview).hasSize(steps).isEqualTo(undone(scene, id));
      assertThat(scene.manager().previewCancel(id)).as("after the end").isEmpty();
    }
    assertThat(scene.manager().previewCancel(UUID.randomUUID())).isEmpty();
  }

  @SuppressWarnings("unchecked")
  private static List<UndoPreview> undone(ProcessScene scene, UUID id) {
    JsonCodec codec = CommandScene.CODEC;
    List<UndoPreview> undone = new ArrayList<>();
    for (String line : scene.log(id)) {
      if (line.startsWith("CompensationStarted ")) {
        String step = line.substring(line.indexOf(' ') + 1);
        StoredCommand command =
            scene.commands().find(scene.command(id, step + ":undo")).orElseThrow();
        undone.add(
            new UndoPreview(
                step,
                command.command().type(),
                codec.decode(command.command().payload(), Map.class)));
      }
    }
    return undone;
  }

  @Test
  void oneThatIsQueuedOrRunsOnANode(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    Gate gate = new Gate();
    scene.when("Debit", context -> gate.pass());
    UUID id = scene.start("payment-1");
    UUID command = scene.command(id, "Debit");
    ProcessExplanation queued = explain(scene, id);
    assertThat(queued.sentence())
        .startsWith("Transfer 'payment-1' is RUNNING, and waits for step Debit: command " + command)
        .contains("is queued and due at");
    assertThat(queued.waits()).hasSize(1);
    assertThat(queued.waits().get(0).holder()).isEmpty();
    assertThat(queued.isStuck()).isFalse();

    Future<Integer> run = tck.async(() -> scene.manager().runOnce());
    gate.awaitBegan();
    ProcessExplanation running = explain(scene, id);
    tck.advance(Duration.ofHours(1));
    ProcessExplanation over = explain(scene, id);
    gate.open();
    StoreUnderTest.get(run);

    assertThat(running.sentence())
        .contains("step Debit: command " + command + " runs on node-1")
        .contains("others may take it from");
    assertThat(running.waits().get(0).holder()).contains("node-1");
    assertThat(over.sentence()).contains("its lease is over since");
  }

  @Test
  void oneThatIsTriedAgainLater(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    scene.fails("Debit", "temporary outage");
    UUID id = scene.run("payment-1");

    ProcessExplanation explanation = explain(scene, id);

    assertThat(explanation.sentence())
        .contains("step Debit (attempt 2, after IllegalStateException: temporary outage): command")
        .contains("is queued and due at");
    assertThat(explanation.waits().get(0).until()).isPresent();
  }

  @Test
  void oneThatWaitsForASignalOrIsPaused(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            process ->
                process
                    .startWith(DebitCommand.class)
                    .thenAwait("approved", Duration.ofDays(3))
                    .then(CreditCommand.class)
                    .end());
    UUID id = scene.run("payment-1");
    assertThat(explain(scene, id).sentence())
        .contains("is RUNNING, and waits for signal 'approved' until")
        .contains("send it with signal(..), or skip(..) the wait");

    scene.manager().pause(id, WHO, WHY);
    scene.manager().signal(id, "approved", Map.of());

    ProcessExplanation paused = explain(scene, id);
    assertThat(paused.sentence())
        .contains("is RUNNING and paused, and waits for resume(..) of the process")
        .contains("before it begins Credit");
    assertThat(paused.isStuck()).isFalse();
  }

  @Test
  void oneThatHasEnded(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    UUID fine = scene.run("payment-1");
    scene.fails("Debit", "no such account");
    UUID failed = scene.run("payment-2");

    assertThat(explain(scene, fine).sentence())
        .startsWith("Transfer 'payment-1' is SUCCEEDED since ");
    assertThat(explain(scene, failed).sentence())
        .startsWith("Transfer 'payment-2' is FAILED because step Debit: ")
        .contains("no such account since ");
    assertThat(explain(scene, failed).waits()).isEmpty();
    assertThat(scene.manager().explain(UUID.randomUUID())).isEmpty();
  }

  /** Only a change of the snapshot by hand leads to this state. */
  @Test
  void oneThatIsStuck(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    UUID id = scene.start("payment-1");
    String snapshot = Processes.find(scene.store(), id).snapshot();
    String damaged =
        snapshot
            .replace("\"QUEUED\"", "\"COMPLETED\"")
            .replaceAll("\"sent\": ?\\[[^]]*]", "\"sent\":[]");
    assertThat(damaged).isNotEqualTo(snapshot);
    Processes.change(scene.store(), id, sample -> sample.snapshot(damaged));

    assertThat(explain(scene, id).sentence())
        .contains("is RUNNING, and nothing is pending: it is stuck; retry(..) or terminate(..) it");
    assertThat(explain(scene, id).isStuck()).isTrue();
    tck.advance(Duration.ofMinutes(10));
    assertThat(scene.manager().reconcile()).isEqualTo(1);
    assertThat(scene.signals).contains(new ProcessSignal.Stuck(id, TYPE, "nothing is pending"));
  }

  private static ProcessExplanation explain(ProcessScene scene, UUID id) {
    return scene.manager().explain(id).orElseThrow();
  }

  @Test
  void cancelDoesNotWaitForAHandlerButTheUndoDoes(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    Gate gate = new Gate();
    scene.when("Debit", context -> gate.pass());
    UUID id = scene.start("payment-1");
    Future<Integer> run = tck.async(() -> scene.manager().runOnce());
    gate.awaitBegan();

    StoreUnderTest.get(
        tck.async(
            () -> {
              scene.manager().cancel(id, WHO, WHY);
              return true;
            }));
    scene.endsAs(id, ProcessStatus.COMPENSATING);
    gate.open();
    StoreUnderTest.get(run);
    scene.runAll();

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.effects()).containsExactly("Debit", "UndoDebit");
  }

  @Test
  void pauseDoesNotWaitForAHandlerWhoseReplyIsTaken(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    Gate gate = new Gate();
    scene.when("Debit", context -> gate.pass());
    UUID id = scene.start("payment-1");
    Future<Integer> run = tck.async(() -> scene.manager().runOnce());
    gate.awaitBegan();

    scene.manager().pause(id, WHO, WHY);
    gate.open();
    StoreUnderTest.get(run);
    scene.runAll();
    assertThat(scene.log(id)).endsWith("ProcessPaused", "StepCompleted Debit", "StepHeld Convert");
    scene.manager().resume(id, WHO, WHY);
    scene.runAll();

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.effects()).containsExactly("Debit", "Convert", "Credit", "Notify");
  }

  /** By the clock of the database the handler is much too late, and its node is taken for dead. */
  @Test
  void timeoutsAndRecoveryDoNotWaitForAHandler(StoreUnderTest tck) throws Exception {
    ProcessConfiguration configuration =
        ProcessScene.configuration(
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .withTimeout(LIMIT)
                    .then(CreditCommand.class)
                    .withDeadline(Duration.ofMinutes(5))
                    .end());
    ProcessScene scene = ProcessScene.of(tck, configuration);
    BaseProcessManager<Object> another = tck.closedAtEnd(scene.node(configuration));
    Gate gate = new Gate();
    scene.when("Debit", context -> gate.pass());
    UUID id = scene.start("payment-1");
    Future<Integer> run = tck.async(() -> scene.manager().runOnce());
    gate.awaitBegan();

    tck.advance(Duration.ofMinutes(10));
    StoreUnderTest.get(tck.async(another::runOnce));
    StoreUnderTest.get(tck.async(another::reconcile));
    gate.open();
    StoreUnderTest.get(run);
    scene.runAll();
    scene.advance(Duration.ofMinutes(10));

    assertThat(scene.status(id).isActive()).as(() -> String.join("\n", scene.log(id))).isFalse();
    assertThat(scene.effects())
        .as(() -> String.join("\n", scene.log(id)))
        .isIn(List.of(), List.of("Debit", "UndoDebit"));
  }

  /** Has a handler wait in the middle of its transaction. */
  private static final class Gate {
    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile boolean isOver;

    Map<String, Object> pass() throws InterruptedException {
      began.countDown();
      try {
        if (!open.await(60, TimeUnit.SECONDS)) {
          throw new IllegalStateException("the test did not release the handler");
        }
      } finally {
        isOver = true;
      }
      return Map.of();
    }

    void awaitBegan() throws InterruptedException {
      assertThat(began.await(60, TimeUnit.SECONDS)).as("the handler has begun").isTrue();
    }

    /** Releases the handler, which must still run: no request has waited for its end. */
    void open() {
      assertThat(isOver).as("the handler has ended before it was let go on").isFalse();
      open.countDown();
    }
  }
}
