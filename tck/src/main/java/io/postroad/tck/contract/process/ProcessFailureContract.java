package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.process.ProcessScene.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessSignal;
import io.postroad.process.ProcessStatus;
import io.postroad.process.dsl.ProcessGraphBuilder;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.WaitingReplies;
import io.postroad.spi.process.WaitingReply;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.process.ProcessScene.ConvertCommand;
import io.postroad.tck.contract.process.ProcessScene.CreditCommand;
import io.postroad.tck.contract.process.ProcessScene.DebitCommand;
import io.postroad.tck.contract.process.ProcessScene.NotifyCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoCreditCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoDebitCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Many at once, broken ones among them, long pauses, and what is forgotten too early. */
@StoreContract
@OrderedOnly
public final class ProcessFailureContract {
  private static final int MANY = 30;

  @Test
  void branchesOfManyProcessesThatEndAtOnceMeetOnceEach(StoreUnderTest tck) throws Exception {
    CountDownLatch ended = new CountDownLatch(MANY);
    ProcessScene scene =
        ProcessScene.of(
            tck,
            ProcessScene.configuration(ProcessFailureContract::threeBranches),
            bus -> bus,
            builder ->
                builder.observer(
                    signal -> {
                      if (signal instanceof ProcessSignal.Ended) {
                        ended.countDown();
                      }
                    }));
    scene.manager().start();
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      ids.add(scene.start("payment-" + i));
    }
    assertThat(ended.await(60, TimeUnit.SECONDS)).as("all have ended").isTrue();
    scene.manager().stop();

    for (UUID id : ids) {
      scene.endsAs(id, ProcessStatus.SUCCEEDED);
      assertThat(scene.log(id))
          .containsOnlyOnce("BranchesJoined join-1", "StepStarted Notify", "ProcessCompleted");
    }
    List<String> effects = scene.effects();
    assertThat(effects).hasSize(5 * MANY);
    assertThat(Collections.frequency(effects, "Notify")).isEqualTo(MANY);
    assertThat(Collections.frequency(effects, "Convert")).isEqualTo(2 * MANY);
  }

  private static ProcessGraph threeBranches(ProcessGraphBuilder process) {
    return process
        .startWith(DebitCommand.class)
        .thenParallel()
        .branch(ConvertCommand.class)
        .branch("ConvertAgain", ConvertCommand.class)
        .branch(CreditCommand.class)
        .joinAt(NotifyCommand.class)
        .end();
  }

  /** A dead node leaves a transaction open that has locked a process; replies for it come in. */
  @Test
  void aProcessThatATransactionHoldsKeepsNoOtherWaiting(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessFailureContract::branchesAndAnHour);
    assumeTrue(
        scene.store().waitingReplies().isPresent(),
        () -> scene.store().name() + " keeps no waiting replies");
    UUID other = scene.run("other");
    UUID held = scene.start("held");
    AtomicReference<UserTransaction> holder = new AtomicReference<>();
    scene.when(
        "Convert",
        context -> {
          if (context.businessKey().equals("held") && holder.get() == null) {
            UserTransaction open = tck.begin();
            holder.set(open);
            Processes.lock(scene.store(), open.handle(), held);
          }
          return Map.of();
        });
    scene.runAll();
    UUID steps = scene.run("steps of another");
    scene.advance(Duration.ofHours(2));
    int unused = scene.manager().reconcile();

    scene.endsAs(other, ProcessStatus.SUCCEEDED);
    scene.endsAs(steps, ProcessStatus.SUCCEEDED);
    assertThat(scene.log(held)).as("it is still held").doesNotContain("BranchArrived join-1");
    assertThat(scene.signals.stream().filter(ProcessSignal.StoreFailed.class::isInstance))
        .as("no thread waited for it until the store gave up")
        .isEmpty();
    Objects.requireNonNull(holder.get()).rollback();
    scene.runAll();
    scene.advance(Duration.ofHours(2));
    scene.endsAs(held, ProcessStatus.SUCCEEDED);
  }

  private static ProcessGraph branchesAndAnHour(ProcessGraphBuilder process) {
    return process
        .startWith(DebitCommand.class)
        .thenParallel()
        .branch(ConvertCommand.class)
        .branch(CreditCommand.class)
        .join()
        .thenWait("cooling-off", Duration.ofHours(1))
        .then(NotifyCommand.class)
        .end();
  }

  @Test
  void aBrokenProcessDoesNotKeepTheTimersOfOthersWaiting(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessFailureContract::afterAnHour);
    List<UUID> broken = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      broken.add(scene.run("broken-" + i));
    }
    UUID other = scene.run("payment-1");
    StoredProcess healthy = Processes.find(scene.store(), broken.get(0));
    for (UUID id : broken) {
      Processes.change(scene.store(), id, sample -> sample.snapshot("{\"damaged\":true}"));
    }

    scene.advance(Duration.ofHours(2));

    scene.endsAs(other, ProcessStatus.SUCCEEDED);
    assertThat(scene.signals.stream().filter(ProcessSignal.StoreFailed.class::isInstance))
        .as("each of them is told")
        .hasSizeGreaterThanOrEqualTo(broken.size());
    Processes.change(scene.store(), broken.get(0), sample -> sample.snapshot(healthy.snapshot()));
    scene.advance(Duration.ofMinutes(1));
    scene.endsAs(broken.get(0), ProcessStatus.SUCCEEDED);
    scene.endsAs(broken.get(1), ProcessStatus.RUNNING);
  }

  /** It is found by its timer once, and not again and again before all others. */
  @Test
  void aProcessThatWasEndedByHandDoesNotKeepTheTimersOfOthersWaiting(StoreUnderTest tck)
      throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessFailureContract::afterAnHour);
    UUID ended = scene.run("ended-by-hand");
    UUID other = scene.run("payment-1");
    ProcessInstance instance = scene.instance(ended);
    scene
        .manager()
        .getProcessRepository()
        .update(
            instance.update(ProcessStatus.SUCCEEDED, instance.currentStep(), instance.data(), 0),
            new ProcessEvent.ProcessCompleted("by hand"));

    scene.advance(Duration.ofHours(2));

    scene.endsAs(other, ProcessStatus.SUCCEEDED);
    scene.endsAs(ended, ProcessStatus.SUCCEEDED);
  }

  /** The failing replies fill a whole batch and are older than the healthy one. */
  @Test
  void repliesThatCannotBeAppliedDoNotKeepOthersWaiting(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            ProcessScene.configuration(ProcessFailureContract::threeBranches),
            ProcessScene::oneByOne,
            builder -> builder);
    ProcessStore<Object> store = scene.store();
    assumeTrue(
        store.waitingReplies().isPresent(), () -> store.name() + " keeps no waiting replies");
    WaitingReplies<Object> waiting = store.waitingReplies().orElseThrow();
    for (int i = 0; i < 100; i++) {
      StoredProcess unknown = Processes.started(store, ProcessSample.of(store));
      WaitingReply reply = new WaitingReply(unknown.id(), UUID.randomUUID(), "{}");
      store.transactions().run(transaction -> waiting.add(transaction, reply));
    }
    UUID id = scene.start("payment-1");
    assertThat(scene.manager().runOnce()).as("the debit").isEqualTo(1);
    StoredProcess healthy = Processes.find(store, id);
    StoredProcess damaged =
        Processes.change(store, id, sample -> sample.snapshot("{\"damaged\":true}"));
    for (int branch = 1; branch <= 3; branch++) {
      assertThat(scene.manager().runOnce()).as("branch %d", branch).isEqualTo(1);
    }
    assertThat(Processes.logOf(store, id)).hasSize((int) damaged.lastSeq());
    Processes.change(store, id, sample -> sample.snapshot(healthy.snapshot()));

    for (int i = 0; i < 20; i++) {
      int unused = scene.manager().runOnce();
    }

    assertThat(scene.status(id)).isEqualTo(ProcessStatus.SUCCEEDED);
    assertThat(scene.signals.stream().filter(ProcessSignal.SetAside.class::isInstance))
        .as("each is told once")
        .hasSize(100);
    assertThat(waiting.processes(1_000, List.of())).as("they are still there").hasSize(100);
  }

  private static ProcessGraph afterAnHour(ProcessGraphBuilder process) {
    return process
        .startWith(DebitCommand.class)
        .thenWait("cooling-off", Duration.ofHours(1))
        .then(CreditCommand.class)
        .end();
  }

  @Test
  void afterAWeekWithoutAnyNodeEachTimerFiresOnce(StoreUnderTest tck) throws Exception {
    ProcessConfiguration configuration =
        ProcessScene.configuration(
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .thenWait("cooling-off", Duration.ofHours(1))
                    .then(CreditCommand.class)
                    .withCompensation(UndoCreditCommand.class)
                    .thenAwait("approved", Duration.ofDays(3))
                    .end());
    ProcessScene scene = ProcessScene.of(tck, configuration);
    UUID waits = scene.run("payment-1");
    UUID awaits = scene.run("payment-2");
    UUID retries = scene.run("payment-3");
    scene.manager().signal(retries, "approved", Map.of());
    scene.manager().signal(waits, "approved", Map.of());
    scene.advance(Duration.ofHours(2));
    scene.endsAs(waits, ProcessStatus.SUCCEEDED);
    scene.fails("Credit", "temporary outage");
    UUID failing = scene.run("payment-4");
    UUID late = scene.run("payment-5");
    scene.advance(Duration.ofMinutes(70));
    assertThat(scene.log(failing)).endsWith("RetryScheduled Credit");
    scene.works("Credit");
    var unused = scene.effects();
    BaseProcessManager<Object> another = tck.closedAtEnd(scene.node(configuration));
    BaseProcessManager<Object> third = tck.closedAtEnd(scene.node(configuration));

    tck.advance(Duration.ofDays(7));
    Future<?> one = tck.async(() -> runAll(another));
    Future<?> two = tck.async(() -> runAll(third));
    StoreUnderTest.get(one);
    StoreUnderTest.get(two);
    scene.runAll();

    scene.endsAs(awaits, ProcessStatus.COMPENSATED);
    scene.endsAs(retries, ProcessStatus.SUCCEEDED);
    assertThat(scene.log(awaits)).containsOnlyOnce("SignalTimedOut await-approved");
    for (UUID id : List.of(failing, late)) {
      scene.endsAs(id, ProcessStatus.RUNNING);
      assertThat(scene.log(id))
          .containsOnlyOnce(
              "WaitCompleted cooling-off", "StepCompleted Credit", "SignalAwaited await-approved");
    }
    assertThat(scene.effects())
        .containsExactlyInAnyOrder("Credit", "Credit", "UndoCredit", "UndoDebit");
  }

  private static boolean runAll(BaseProcessManager<Object> node) {
    ProcessScene.runAll(node);
    return true;
  }

  @Test
  void whatAHandlerDidForAProcessThatIsForgottenIsRolledBack(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    scene.when(
        "Debit",
        context -> {
          began.countDown();
          assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
          return Map.of();
        });
    UUID id = scene.start("payment-1");
    Future<Integer> run = tck.async(() -> scene.manager().runOnce());
    assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();

    scene.manager().terminate(id, "operator", "wrong account");
    tck.advance(Duration.ofSeconds(2));
    assertThat(scene.store().purge(Duration.ofSeconds(1), 10)).isEqualTo(1);
    goOn.countDown();
    assertThat(StoreUnderTest.get(run)).isEqualTo(1);

    assertThat(scene.effects()).isEmpty();
    assertThat(scene.store().queries().find(id)).isEmpty();
    assertThat(scene.signals)
        .anyMatch(
            signal ->
                signal instanceof ProcessSignal.ReplyIgnored ignored
                    && ignored.processId().equals(id));
    int calls = scene.calls.size();
    scene.runAll();
    assertThat(scene.calls).as("it has ended").hasSize(calls);
  }

  @Test
  void aCommandThatOccursTwiceIsTwoSteps(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            process ->
                process
                    .startWith("Fee", DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .then("Amount", DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .then(CreditCommand.class)
                    .end());
    List<String> keys = new ArrayList<>();
    scene.when("UndoDebit", context -> Map.of("n", keys.add(context.idempotencyKey())));
    UUID fine = scene.run("payment-1");
    scene.endsAs(fine, ProcessStatus.SUCCEEDED);
    assertThat(scene.effects()).containsExactly("Debit", "Debit", "Credit");

    scene.fails("Credit", "closed");
    UUID undone =
        scene.manager().startProcess(TYPE, "payment-2", Map.of("account", "a-1", "fee", 1));
    scene.runAll();

    scene.endsAs(undone, ProcessStatus.COMPENSATED);
    assertThat(keys).containsExactly(undone + ":Amount:undo", undone + ":Fee:undo");
    assertThat(scene.effects()).containsExactly("Debit", "Debit", "UndoDebit", "UndoDebit");
  }
}
