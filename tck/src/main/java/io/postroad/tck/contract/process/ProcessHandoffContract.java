package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.process.ProcessScene.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandOptions;
import io.postroad.inbox.RetryableFailure;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessOptions;
import io.postroad.process.ProcessSignal;
import io.postroad.process.ProcessStatus;
import io.postroad.spi.StoredCommand;
import io.postroad.store.CommandStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The thread that has committed a step goes on with the next one: what is seen of that one while it
 * runs, and what becomes of it when the thread fails, stops or does not come back.
 */
@StoreContract
@OrderedOnly
public final class ProcessHandoffContract {
  private static final ProcessConfiguration TRANSFER =
      ProcessScene.configuration(ProcessScene::transfer);

  private static final List<String> STEPS = List.of("Debit", "Convert", "Credit", "Notify");

  /** A started node whose first conversion waits until the test lets it go on. */
  private static final class Scene {
    final ProcessScene scene;
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    final CompletableFuture<UUID> ended = new CompletableFuture<>();
    final AtomicInteger conversions = new AtomicInteger();

    Scene(StoreUnderTest tck) throws Exception {
      scene =
          ProcessScene.of(
              tck,
              TRANSFER,
              bus -> bus,
              builder ->
                  builder.observer(
                      signal -> {
                        if (signal instanceof ProcessSignal.Ended end) {
                          ended.complete(end.processId());
                        }
                      }));
      scene.when(
          "Convert",
          context -> {
            if (conversions.incrementAndGet() == 1) {
              begun.countDown();
              goOn.await();
            }
            return Map.of();
          });
    }

    /** A process whose conversion has begun, on the thread that has made the debit. */
    UUID convertingOn(BaseProcessManager<Object> node) throws Exception {
      node.start();
      UUID id = node.startProcess(TYPE, "payment-1", Map.of("account", "a-1"));
      assertThat(begun.await(60, TimeUnit.SECONDS)).as("the conversion has begun").isTrue();
      return id;
    }

    UUID converting() throws Exception {
      return convertingOn(scene.manager());
    }

    void awaitEnd() throws Exception {
      UUID unused = ended.get(60, TimeUnit.SECONDS);
    }

    /** All of its threads have ended. */
    void stop() {
      scene.manager().stop();
    }

    void requireDoneOnce(UUID id) throws Exception {
      scene.endsAs(id, ProcessStatus.SUCCEEDED);
      assertThat(scene.effects()).containsExactlyElementsOf(STEPS);
      for (String step : STEPS) {
        assertThat(row(id, step).status()).isEqualTo(CommandStatus.COMPLETED);
      }
    }

    StoredCommand row(UUID id, String step) {
      return scene.commands().findByKey(id + ":" + step).orElseThrow();
    }
  }

  /** The time of a test that is over interrupts it. */
  private static void requireTime() {
    if (Thread.currentThread().isInterrupted()) {
      throw new IllegalStateException("it did not come to that");
    }
    Thread.onSpinWait();
  }

  @Test
  void itIsDoneAndEachOfItsCommandsIsKept(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    UUID id = scene.converting();
    scene.goOn.countDown();
    scene.awaitEnd();
    scene.stop();

    scene.requireDoneOnce(id);
    for (String step : STEPS) {
      assertThat(scene.row(id, step).attempt()).isEqualTo(1);
    }
  }

  @Test
  void whereItRunsIsExplained(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    UUID id = scene.converting();
    try {
      assertThat(scene.scene.manager().explain(id).orElseThrow().sentence())
          .contains("step Convert: command ", " runs on node-1 since ");
      assertThat(scene.scene.manager().explain(id).orElseThrow().isStuck()).isFalse();
    } finally {
      scene.goOn.countDown();
    }
    scene.awaitEnd();
    scene.stop();
  }

  /** It stood still for longer than its lease, and wakes up when all is done. */
  @Test
  void whatANodeHadThatDidNotComeBackIsDoneByAnotherOnce(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    UUID id = scene.converting();
    BaseProcessManager<Object> other = scene.scene.node(TRANSFER);

    tck.advance(CommandOptions.defaults().leaseFor().multipliedBy(2));
    while (scene.scene.status(id) == ProcessStatus.RUNNING) {
      requireTime();
      ProcessScene.runAll(other);
    }
    scene.goOn.countDown();
    scene.stop();

    scene.requireDoneOnce(id);
    assertThat(scene.conversions).hasValueGreaterThanOrEqualTo(2);
    assertThat(scene.row(id, "Convert").attempt()).isEqualTo(2);
  }

  /** While its lease lasts, no other node begins it. */
  @Test
  void whatANodeHasIsItsOwn(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    UUID id = scene.converting();
    BaseProcessManager<Object> other =
        scene.scene.node(
            TRANSFER,
            bus -> bus,
            builder ->
                builder.options(ProcessOptions.defaults().withQuietFor(Duration.ofSeconds(1))));

    tck.advance(CommandOptions.defaults().leaseFor().dividedBy(2));
    ProcessScene.runAll(other);
    assertThat(other.reconcile()).as("looked at").isEqualTo(1);
    assertThat(scene.scene.signals).noneMatch(ProcessSignal.Stuck.class::isInstance);
    scene.goOn.countDown();
    scene.awaitEnd();
    scene.stop();

    scene.requireDoneOnce(id);
    assertThat(scene.conversions).hasValue(1);
  }

  @Test
  void oneThatFailsForNowIsTriedAgain(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    scene.scene.when(
        "Convert",
        context -> {
          if (scene.conversions.incrementAndGet() == 1) {
            scene.begun.countDown();
            throw new RetryableFailure("the bank does not answer");
          }
          return Map.of();
        });
    UUID id = scene.converting();
    while (scene.scene.commands().findByKey(id + ":Convert").isEmpty()
        || scene.row(id, "Convert").status() != CommandStatus.PENDING) {
      requireTime();
    }

    assertThat(scene.row(id, "Convert").lastError().orElseThrow()).contains("the bank");
    scene.stop();
    scene.scene.advance(ProcessScene.UNDO_WAIT.plusSeconds(1));

    scene.requireDoneOnce(id);
    assertThat(scene.row(id, "Convert").attempt()).isEqualTo(2);
  }

  /** Another node goes on at once, and it does not count as an attempt. */
  @Test
  void whatAStopInterruptsIsGivenBack(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    BaseProcessManager<Object> stopping =
        scene.scene.node(
            TRANSFER,
            bus ->
                bus.options(
                    CommandOptions.defaults()
                        .withName("node-2")
                        .withDrainFor(Duration.ofMillis(1))),
            builder -> builder);
    UUID id = scene.convertingOn(stopping);

    stopping.close();
    scene.scene.runAll();

    scene.requireDoneOnce(id);
    assertThat(scene.row(id, "Convert").attempt()).isEqualTo(1);
  }

  /** The step ends before its undo begins, and neither waits for the other. */
  @Test
  void whatIsCancelledMeanwhileIsUndone(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    UUID id = scene.converting();

    scene.scene.manager().cancel(id, "ops", "wrong account");
    scene.goOn.countDown();
    scene.awaitEnd();
    scene.stop();

    scene.scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.scene.effects())
        .containsExactly("Debit", "Convert", "UndoConvert", "UndoDebit");
  }

  /** Then there is nothing to find after its time. */
  @Test
  void whatIsTerminatedMeanwhileIsNotDone(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    UUID id = scene.converting();

    scene.scene.manager().terminate(id, "ops", "wrong account");
    assertThat(Processes.find(scene.scene.store(), id).dueAt()).isEmpty();
    scene.goOn.countDown();
    scene.stop();
    scene.scene.advance(CommandOptions.defaults().leaseFor().multipliedBy(2));

    scene.scene.endsAs(id, ProcessStatus.FAILED);
    assertThat(scene.scene.effects()).containsExactly("Debit");
  }
}
