package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.process.ProcessScene.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.command.CommandRequest;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessOptions;
import io.postroad.process.ProcessSignal;
import io.postroad.process.ProcessStatus;
import io.postroad.process.dsl.ProcessGraphBuilder;
import io.postroad.spi.StoredCommand;
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
import io.postroad.tck.contract.scene.Relays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A release with another definition meets processes that run on the one before. */
@StoreContract
@OrderedOnly
public final class ProcessReleaseContract {

  /** Where a process waits, by its business key: these steps fail for now, the last for good. */
  private static final Map<String, Set<String>> HELD =
      Map.of(
          "at the first step", Set.of("Debit"),
          "in the branches", Set.of("Convert", "Credit"),
          "half joined", Set.of("Credit"),
          "waiting", Set.of(),
          "behind the wait", Set.of("Notify"),
          "undoing", Set.of("UndoDebit"));

  @Test
  void processesAtEveryNodeFinishOnTheirDefinition(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessReleaseContract::before);
    hold(scene);
    UUID behind = scene.run("behind the wait");
    scene.advance(Duration.ofHours(2));
    Map<String, UUID> ids = new LinkedHashMap<>();
    ids.put("behind the wait", behind);
    for (String key : HELD.keySet()) {
      ids.computeIfAbsent(key, scene::run);
    }
    UUID held = scene.start("held");
    scene.manager().pause(held, "operator", "release");
    scene.runAll();
    assertPlaces(scene, ids);

    BaseProcessManager<Object> next =
        tck.closedAtEnd(scene.node(ProcessScene.configuration(ProcessReleaseContract::after)));
    next.start();
    next.stop();
    List.of("Debit", "Convert", "Credit", "Notify", "UndoDebit").forEach(scene::works);
    next.resume(held, "operator", "released");
    UUID fresh = next.startProcess(TYPE, "fresh", Map.of("account", "a-1"));
    for (int i = 0; i < 4; i++) {
      ProcessScene.runAll(next);
      tck.advance(Duration.ofMinutes(40));
    }
    ProcessScene.runAll(next);

    ids.put("held", held);
    ids.forEach(
        (key, id) -> {
          boolean isUndone = key.equals("undoing");
          scene.endsAs(id, isUndone ? ProcessStatus.COMPENSATED : ProcessStatus.SUCCEEDED);
          assertThat(scene.log(id))
              .as(key)
              .contains("StepCompleted Debit", "StepCompleted Convert")
              .doesNotContain("StepStarted Charge", "StepStarted Check");
          if (!isUndone) {
            assertThat(scene.log(id))
                .as(key)
                .containsSubsequence(
                    "BranchesJoined join-1", "WaitCompleted cooling-off", "StepCompleted Notify")
                .containsOnlyOnce("BranchesJoined join-1", "StepCompleted Credit");
          }
        });
    scene.endsAs(fresh, ProcessStatus.SUCCEEDED);
    assertThat(scene.log(fresh))
        .containsSubsequence("StepCompleted Charge", "StepCompleted Check", "StepCompleted Credit")
        .doesNotContain("StepStarted Debit", "StepStarted Convert", "WaitStarted cooling-off");
  }

  /** A node that runs for months while another release was tried and withdrawn. */
  @Test
  void whatANodeStartsProcessesWithIsKeptForAsLongAsItRuns(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            ProcessScene.configuration(ProcessScene::transfer),
            bus -> bus,
            builder ->
                builder.options(
                    ProcessOptions.defaults()
                        .withReconcileEvery(Duration.ofMillis(1))
                        .withTimersEvery(Duration.ofMillis(1))));
    String ours = definition(scene, scene.run("ours"));
    tck.advance(Duration.ofSeconds(1));
    BaseProcessManager<Object> tried =
        tck.closedAtEnd(
            scene.node(
                ProcessScene.configuration(
                    process -> process.startWith(DebitCommand.class).end())));
    UUID id = tried.startProcess(TYPE, "tried", Map.of("account", "a-1"));
    ProcessScene.runAll(tried);
    String theirs = definition(scene, id);
    tck.advance(Duration.ofDays(31));

    scene.manager().start();
    Relays.eventually(
        () -> assertThat(scene.store().definitions().find(TYPE, theirs)).as("purged").isEmpty());
    scene.manager().stop();

    assertThat(scene.store().definitions().find(TYPE, ours)).isPresent();
  }

  private static String definition(ProcessScene scene, UUID id) {
    return scene.store().queries().find(id).orElseThrow().definition();
  }

  private static void hold(ProcessScene scene) {
    for (String command : List.of("Debit", "Convert", "Credit", "Notify", "UndoDebit")) {
      scene.when(
          command,
          context -> {
            if (context.businessKey().equals("undoing") && command.equals("Credit")) {
              throw new IllegalStateException("closed");
            }
            if (HELD.getOrDefault(context.businessKey(), Set.of()).contains(command)) {
              throw new IllegalStateException("temporary outage");
            }
            return Map.of();
          });
    }
  }

  private static void assertPlaces(ProcessScene scene, Map<String, UUID> ids) {
    assertThat(scene.log(of(ids, "at the first step"))).endsWith("RetryScheduled Debit");
    assertThat(scene.log(of(ids, "in the branches")))
        .contains("RetryScheduled Convert", "RetryScheduled Credit");
    assertThat(scene.log(of(ids, "half joined")))
        .contains("BranchArrived join-1", "RetryScheduled Credit")
        .doesNotContain("BranchesJoined join-1");
    assertThat(scene.log(of(ids, "waiting"))).endsWith("WaitStarted cooling-off");
    assertThat(scene.log(of(ids, "behind the wait"))).endsWith("RetryScheduled Notify");
    assertThat(scene.log(of(ids, "undoing"))).contains("CompensationFailed Debit");
    scene.endsAs(of(ids, "undoing"), ProcessStatus.COMPENSATING);
  }

  private static UUID of(Map<String, UUID> ids, String key) {
    return Objects.requireNonNull(ids.get(key), key);
  }

  private static ProcessGraph before(ProcessGraphBuilder process) {
    return process
        .startWith(DebitCommand.class)
        .withCompensation(UndoDebitCommand.class)
        .thenParallel()
        .branch(ConvertCommand.class)
        .withCompensation(UndoConvertCommand.class)
        .branch(CreditCommand.class)
        .withCompensation(UndoCreditCommand.class)
        .join()
        .thenWait("cooling-off", Duration.ofHours(1))
        .then(NotifyCommand.class)
        .end();
  }

  /** One is renamed, one inserted, one removed, and there are no branches and no wait. */
  private static ProcessGraph after(ProcessGraphBuilder process) {
    return process
        .startWith("Charge", DebitCommand.class)
        .withCompensation(UndoDebitCommand.class)
        .then("Check", NotifyCommand.class)
        .then(CreditCommand.class)
        .withCompensation(UndoCreditCommand.class)
        .then(NotifyCommand.class)
        .end();
  }

  private static ProcessGraph withPredicate(ProcessGraphBuilder process) {
    return process
        .startWith(DebitCommand.class)
        .thenIf("foreign", data -> data.containsKey("currency"))
        .whenTrue(ConvertCommand.class)
        .then(CreditCommand.class)
        .end();
  }

  @Test
  void aPredicateThatIsGoneIsRefusedWithTheProcesses(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessReleaseContract::withPredicate);
    UUID one = scene.start("payment-1");
    UUID two = scene.start("payment-2");
    BaseProcessManager<Object> next =
        next(
            tck,
            scene,
            process -> process.startWith(DebitCommand.class).then(CreditCommand.class).end());

    refuses(next, "predicate 'foreign'", "2 active processes", one + " at Debit", two + " at");

    assertThat(scene.calls).as("nothing was begun").isEmpty();
    scene.runAll();
    next.start();
    next.stop();
  }

  @Test
  void anInputThatIsGoneIsRefusedWithTheProcesses(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            process ->
                process
                    .startWith(NotifyCommand.class)
                    .then(DebitCommand.class)
                    .withInput(data -> Map.of("account", "a-7"))
                    .end());
    UUID id = scene.start("payment-1");

    BaseProcessManager<Object> next =
        next(
            tck,
            scene,
            process -> process.startWith(NotifyCommand.class).then(DebitCommand.class).end());

    refuses(next, "input 'Debit'", "1 active processes", id + " at Notify");
  }

  @Test
  void aHandlerThatIsGoneIsRefusedWithTheProcesses(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 21; i++) {
      ids.add(scene.start("payment-" + i));
    }
    BaseProcessManager<Object> next =
        tck.closedAtEnd(
            scene.node(
                ProcessScene.configuration(
                    process ->
                        process.startWith(DebitCommand.class).then(CreditCommand.class).end()),
                bus ->
                    bus.handlers(
                        scene.registry(
                            List.of(
                                DebitCommand.class,
                                CreditCommand.class,
                                NotifyCommand.class,
                                UndoDebitCommand.class,
                                UndoCreditCommand.class))),
                builder -> builder));

    refuses(
        next,
        "a handler for Convert, a handler for UndoConvert",
        "21 active processes",
        ids.get(0) + " at Debit",
        "and more");

    scene.runAll();
    assertThat(ids).allSatisfy(id -> scene.endsAs(id, ProcessStatus.SUCCEEDED));
    next.start();
    next.stop();
  }

  /** That node could not write down what comes of its handler, so it does not call it. */
  @Test
  void aNodeThatDoesNotHaveTheDefinitionLeavesItToAnother(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessReleaseContract::withPredicate);
    BaseProcessManager<Object> old =
        next(
            tck,
            scene,
            process -> process.startWith(DebitCommand.class).then(CreditCommand.class).end());
    UUID id = scene.start("payment-1");

    leftToAnother(tck, scene, old, id, 0, "predicate 'foreign'");
    scene.fails("Debit", "no such account");
    leftToAnother(tck, scene, old, id, 0, "predicate 'foreign'");
    scene.works("Debit");
    scene.runAll();

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.effects()).containsExactly("Debit", "Credit");
    assertThat(scene.log(id)).doesNotContain("StepFailed Debit");
  }

  @Test
  void aNodeThatDoesNotKnowTheNextCommandLeavesItToAnother(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScene::transfer);
    BaseProcessManager<Object> old =
        tck.closedAtEnd(
            scene.node(
                ProcessScene.configuration(
                    process ->
                        process.startWith(DebitCommand.class).then(CreditCommand.class).end()),
                bus ->
                    bus.handlers(scene.registry(List.of(DebitCommand.class, CreditCommand.class))),
                builder -> builder));
    UUID id = scene.start("payment-1");

    leftToAnother(tck, scene, old, id, 1, "goes on with Convert");
    scene.runAll();

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.effects()).containsExactly("Debit", "Convert", "Credit", "Notify");
  }

  /**
   * More often than a command may be tried.
   *
   * @param each how often its handler is called before it is known that this node cannot go on
   */
  private static void leftToAnother(
      StoreUnderTest tck,
      ProcessScene scene,
      BaseProcessManager<Object> old,
      UUID id,
      int each,
      String why)
      throws Exception {
    for (int i = 0; i < 6; i++) {
      int calls = scene.calls.size();
      ProcessScene.runAll(old);
      assertThat(scene.calls).as("then it is left alone").hasSize(calls + each);
      tck.advance(ProcessScene.UNDO_WAIT.plusSeconds(1));
    }
    StoredCommand debit = scene.commands().find(scene.command(id, "Debit")).orElseThrow();
    assertThat(debit.attempt()).as("attempts that count").isZero();
    assertThat(debit.lastError().orElseThrow()).contains(why);
    assertThat(scene.log(id)).containsExactly("ProcessStarted", "StepStarted Debit");
  }

  /** A rollout: some processes run on the new definition when a node of the old one restarts. */
  @Test
  void aNodeOfTheReleaseBeforeRestartsAndLeavesNewerProcessesToOthers(StoreUnderTest tck)
      throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessReleaseContract::withPredicate);
    BaseProcessManager<Object> old = oldNode(tck, scene);
    old.start();
    old.stop();
    tck.advance(Duration.ofSeconds(1));
    UUID newer = scene.start("payment-1");
    UUID older = old.startProcess(TYPE, "payment-2", Map.of("account", "a-1"));

    BaseProcessManager<Object> again = oldNode(tck, scene);
    again.start();
    again.stop();
    ProcessScene.runAll(again);

    scene.endsAs(older, ProcessStatus.SUCCEEDED);
    scene.endsAs(newer, ProcessStatus.RUNNING);
    assertThat(scene.log(newer)).containsExactly("ProcessStarted", "StepStarted Debit");
    tck.advance(ProcessScene.UNDO_WAIT);
    scene.runAll();
    scene.endsAs(newer, ProcessStatus.SUCCEEDED);
  }

  /** Neither the predicate of the newer definition nor the handlers of all its commands. */
  private static BaseProcessManager<Object> oldNode(StoreUnderTest tck, ProcessScene scene) {
    return tck.closedAtEnd(
        scene.node(
            ProcessScene.configuration(
                process -> process.startWith(DebitCommand.class).then(CreditCommand.class).end()),
            bus -> bus.handlers(scene.registry(List.of(DebitCommand.class, CreditCommand.class))),
            builder -> builder));
  }

  @Test
  void aNodeWithoutTheDefinitionExplainsPausesAndTerminates(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessReleaseContract::awaiting);
    BaseProcessManager<Object> old = oldNode(tck, scene);
    UUID id = scene.run("payment-1");

    assertThat(old.explain(id).orElseThrow().sentence()).contains("signal 'approved'");
    assertThat(old.previewCancel(id)).extracting("command").containsExactly("UndoDebit");
    old.pause(id, "operator", "wait a moment");
    assertThat(scene.manager().explain(id).orElseThrow().sentence()).contains("paused");
    old.terminate(id, "operator", "no more");

    scene.endsAs(id, ProcessStatus.FAILED);
    assertThatIllegalStateException()
        .isThrownBy(() -> old.cancel(id, "operator", "too late"))
        .withMessageContaining("has ended");
    assertThat(scene.log(id)).endsWith("ProcessPaused", "ProcessFailed");
  }

  @Test
  void whatANodeWithoutTheDefinitionCannotDoIsDoneByAnother(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessReleaseContract::awaiting);
    BaseProcessManager<Object> old = oldNode(tck, scene);
    UUID approved = scene.run("approved");
    UUID cancelled = scene.run("cancelled");
    UUID skipped = scene.run("skipped");

    old.signal(approved, "approved", Map.of("currency", "EUR"));
    old.skip(skipped, "await-approved", "operator", "known by phone");
    old.cancel(cancelled, "operator", "not wanted");
    assertThat(old.explain(cancelled).orElseThrow().sentence())
        .contains("CANCEL")
        .contains("a node that has definition");
    ProcessScene.runAll(old);
    scene.endsAs(approved, ProcessStatus.RUNNING);
    scene.endsAs(cancelled, ProcessStatus.RUNNING);
    tck.advance(ProcessScene.UNDO_WAIT);
    scene.runAll();

    scene.endsAs(approved, ProcessStatus.SUCCEEDED);
    assertThat(scene.log(approved)).contains("StepCompleted Convert");
    scene.endsAs(skipped, ProcessStatus.SUCCEEDED);
    scene.endsAs(cancelled, ProcessStatus.COMPENSATED);
    assertThat(scene.log(cancelled))
        .containsSubsequence("RequestQueued", "RequestTaken", "ProcessCancelled");
  }

  @Test
  void aRequestIsAppliedAfterQueuedRequests(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessReleaseContract::awaiting);
    BaseProcessManager<Object> old = oldNode(tck, scene);
    UUID id = scene.run("payment-1");

    old.signal(id, "approved", Map.of("currency", "EUR"));
    scene.manager().signal(id, "approved", Map.of("currency", "USD"));
    scene.runAll();

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.instance(id).data()).containsEntry("currency", "EUR");
  }

  /** The state may change between the request and the node that can do it. */
  @Test
  void aQueuedRequestThatIsRefusedLaterIsInTheLog(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessReleaseContract::awaiting);
    BaseProcessManager<Object> old = oldNode(tck, scene);
    UUID id = scene.run("payment-1");

    old.cancel(id, "operator", "not wanted");
    old.terminate(id, "another operator", "at once");
    scene.runAll();

    scene.endsAs(id, ProcessStatus.FAILED);
    assertThat(scene.log(id)).endsWith("ProcessFailed", "RequestTaken", "RequestRefused");
    assertThat(old.explain(id).orElseThrow().sentence()).doesNotContain("CANCEL");
  }

  /** Its next command cannot be sent: another command has its key. */
  @Test
  void aQueuedRequestThatAlwaysFailsDoesNotKeepATimerFromFiring(StoreUnderTest tck)
      throws Exception {
    ProcessScene scene =
        ProcessScene.of(tck, process -> awaiting(process, Optional.of(Duration.ofHours(1))));
    BaseProcessManager<Object> old = oldNode(tck, scene);
    UUID id = scene.run("payment-1");
    UUID unused =
        scene
            .manager()
            .bus()
            .accept(CommandRequest.of("Notify", id + ":Credit", "payment-1", "{}"));
    old.signal(id, "approved", Map.of());

    scene.runAll();
    scene.endsAs(id, ProcessStatus.RUNNING);
    assertThat(scene.signals).hasAtLeastOneElementOfType(ProcessSignal.StoreFailed.class);
    UUID other = scene.run("payment-2");
    scene.advance(Duration.ofHours(2));

    scene.endsAs(other, ProcessStatus.COMPENSATED);
    scene.endsAs(id, ProcessStatus.COMPENSATED);
    scene.advance(Duration.ofMinutes(1));
    assertThat(scene.log(id))
        .containsSubsequence("RequestQueued", "SignalTimedOut await-approved", "RequestTaken");
  }

  private static ProcessGraph awaiting(ProcessGraphBuilder process) {
    return awaiting(process, Optional.empty());
  }

  private static ProcessGraph awaiting(ProcessGraphBuilder process, Optional<Duration> timeout) {
    var debit = process.startWith(DebitCommand.class).withCompensation(UndoDebitCommand.class);
    return timeout
        .map(time -> debit.thenAwait("approved", time))
        .orElseGet(() -> debit.thenAwait("approved"))
        .thenIf("foreign", data -> data.containsKey("currency"))
        .whenTrue(ConvertCommand.class)
        .then(CreditCommand.class)
        .end();
  }

  @Test
  void theSameDefinitionIsNoOther(StoreUnderTest tck) throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessReleaseContract::before);
    UUID id = scene.start("payment-1");
    BaseProcessManager<Object> same = next(tck, scene, ProcessReleaseContract::before);

    UUID unused = same.startProcess(TYPE, "payment-2", Map.of("account", "a-1"));

    assertThat(scene.store().queries().activeByDefinition(TYPE)).hasSize(1).containsValue(2L);
    ProcessScene.runAll(same);
    assertThat(scene.log(id)).endsWith("WaitStarted cooling-off");
  }

  private static BaseProcessManager<Object> next(
      StoreUnderTest tck, ProcessScene scene, Function<ProcessGraphBuilder, ProcessGraph> graph)
      throws Exception {
    return tck.closedAtEnd(scene.node(ProcessScene.configuration(graph)));
  }

  private static void refuses(BaseProcessManager<Object> next, String... parts) {
    assertThatIllegalStateException()
        .isThrownBy(next::start)
        .withMessageContainingAll(parts)
        .withMessageStartingWith("processes would be stranded by this release: ");
  }
}
