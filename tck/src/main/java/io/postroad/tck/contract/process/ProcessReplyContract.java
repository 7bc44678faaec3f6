package io.postroad.tck.contract.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandReply;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessManager;
import io.postroad.process.ProcessSignal;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepRetry;
import io.postroad.process.dsl.ProcessGraphBuilder;
import io.postroad.store.CommandStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.process.ProcessScene.ConvertCommand;
import io.postroad.tck.contract.process.ProcessScene.CreditCommand;
import io.postroad.tck.contract.process.ProcessScene.DebitCommand;
import io.postroad.tck.contract.process.ProcessScene.NotifyCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoCreditCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoDebitCommand;
import io.postroad.tck.contract.scene.Relays;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Replies that come early, twice, late or from an attempt that was given up. */
@StoreContract
@OrderedOnly
public final class ProcessReplyContract {
  private static final String QUEUE = "APP.CMD.CREDIT.Q";
  private static final String REPLIES = "APP.CMD.REPLY.Q";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void aReplyMayComeBeforeTheStartReturns(StoreUnderTest tck) throws Exception {
    AtomicReference<ProcessScene> known = new AtomicReference<>();
    AtomicReference<UUID> replied = new AtomicReference<>();
    ProcessScene scene =
        ProcessScene.of(
            tck,
            ProcessScene.configuration(
                process -> process.startWith(CreditCommand.class).then(NotifyCommand.class).end()),
            bus -> bus.send("Credit", QUEUE).replyTo(REPLIES).owner("bank"),
            builder ->
                builder.observer(
                    signal -> {
                      if (signal instanceof ProcessSignal.Logged logged
                          && logged.event().equals("StepStarted")
                          && logged.step().equals("Credit")) {
                        replied.set(logged.processId());
                        assertThat(
                                done(
                                    Objects.requireNonNull(known.get()),
                                    logged.processId(),
                                    "Credit"))
                            .isTrue();
                      }
                    }));
    known.set(scene);

    UUID id = scene.start("payment-1");

    assertThat(replied).as("before the start returned").hasValue(id);
    assertThat(scene.log(id)).contains("StepCompleted Credit", "StepStarted Notify");
    scene.runAll();
    scene.endsAs(id, ProcessStatus.SUCCEEDED);
  }

  @Test
  void aSecondReplyAfterTheJoinChangesNothing(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        remote(
            tck,
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .thenParallel()
                    .branch(ConvertCommand.class)
                    .branch(CreditCommand.class)
                    .joinAt(NotifyCommand.class)
                    .end());
    UUID id = scene.run("payment-1");
    scene.endsAs(id, ProcessStatus.RUNNING);
    assertThat(done(scene, id, "Credit")).isTrue();
    List<String> log = scene.log(id);

    assertThat(done(scene, id, "Credit")).isFalse();
    assertThat(scene.log(id)).isEqualTo(log).containsOnlyOnce("BranchesJoined join-1");
    scene.runAll();
    assertThat(done(scene, id, "Credit")).as("after the end").isFalse();

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(Collections.frequency(scene.calls, "Notify")).isEqualTo(1);
    UUID command = scene.command(id, "Credit");
    assertThat(scene.signals).contains(new ProcessSignal.ReplyIgnored(id, command, "REPEATED"));
    assertThat(scene.manager().handleReply(id, CommandReply.failed(command, command, "closed")))
        .as("a contradiction")
        .isFalse();
    assertThat(scene.log(id)).endsWith("ProcessCompleted", "ConflictingReply Credit");
    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    UUID nobodys = UUID.randomUUID();
    assertThat(scene.manager().handleReply(id, CommandReply.completed(nobodys, nobodys, Map.of())))
        .isFalse();
    assertThat(scene.signals).contains(new ProcessSignal.ReplyIgnored(id, nobodys, "FOREIGN"));
  }

  /** Whether the process was read, or is remembered by the thread that goes on. */
  @Test
  void whatAReplyBringsIsSeenAsItIsKeptAndCannotBeChanged(StoreUnderTest tck) throws Exception {
    List<Object> seen = new CopyOnWriteArrayList<>();
    List<Object> tried = new CopyOnWriteArrayList<>();
    ProcessScene scene =
        remote(
            tck,
            process ->
                process
                    .startWith(CreditCommand.class)
                    .then(DebitCommand.class)
                    .thenIf("look", data -> look(data, seen, tried))
                    .whenTrue(NotifyCommand.class)
                    .end());
    UUID id = scene.run("payment-1");
    UUID command = scene.command(id, "Credit");
    assertThat(
            scene
                .manager()
                .handleReply(
                    id,
                    CommandReply.completed(
                        command, command, Map.of("kind", CommandStatus.COMPLETED))))
        .isTrue();
    scene.runAll();

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(seen).containsOnly("COMPLETED");
    assertThat(tried).as("what was thrown").hasOnlyElementsOfType(RuntimeException.class);
  }

  private static boolean look(Map<String, Object> data, List<Object> seen, List<Object> tried) {
    seen.add(data.get("kind"));
    try {
      data.put("kind", "changed");
      tried.add("changed");
    } catch (UnsupportedOperationException refused) {
      tried.add(refused);
    }
    return true;
  }

  @Test
  void theFirstAttemptMayBeTheOneThatWasDone(StoreUnderTest tck) throws Exception {
    ProcessScene scene = remote(tck, process -> credited(process, StepRetry.of(2, LIMIT, LIMIT)));
    UUID id = scene.run("payment-1");
    scene.advance(LIMIT.plusSeconds(1));
    assertThat(scene.log(id)).endsWith("StepTimedOut Credit", "RetryScheduled Credit");

    assertThat(done(scene, id, "Credit")).isTrue();
    scene.runAll();

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(Collections.frequency(scene.calls, "Notify")).isEqualTo(1);
    assertThat(done(scene, id, "Credit:2")).as("the same effect once more").isFalse();
    assertThat(scene.log(id)).endsWith("ProcessCompleted", "LateEffect Credit");
    scene.runAll();
    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.calls).doesNotContain("UndoCredit");
  }

  @Test
  void theSecondAttemptMayBeTheOneThatWasDone(StoreUnderTest tck) throws Exception {
    ProcessScene scene = remote(tck, process -> credited(process, StepRetry.of(2, LIMIT, LIMIT)));
    scene.fails("Notify", "no address");
    UUID id = scene.run("payment-1");
    scene.advance(LIMIT.plusSeconds(1));

    assertThat(done(scene, id, "Credit:2")).isTrue();
    scene.runAll();
    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(Collections.frequency(scene.calls, "UndoCredit")).isEqualTo(1);

    assertThat(done(scene, id, "Credit")).as("the first one was done as well").isFalse();
    scene.runAll();
    assertThat(scene.log(id))
        .containsSubsequence(
            "ProcessCompensated", "LateEffect Credit", "CompensationStarted Credit");
    assertThat(Collections.frequency(scene.calls, "UndoCredit")).isEqualTo(2);
    scene.endsAs(id, ProcessStatus.COMPENSATED);
  }

  @Test
  void aSuccessThatIsFirstIsNotTimedOut(StoreUnderTest tck) throws Exception {
    ProcessScene scene = remote(tck, process -> credited(process, StepRetry.none()));
    OutboxRelay relay = loop(tck, scene);
    UUID id = scene.run("payment-1");
    UUID command = scene.command(id, "Credit");

    answer(tck, relay, command);
    List<String> log = scene.log(id);
    assertThat(log).endsWith("StepCompleted Credit", "StepStarted Notify");
    tck.advance(LIMIT.plusSeconds(1));
    scene.runAll();

    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.log(id)).doesNotContain("StepTimedOut Credit");
  }

  @Test
  void aSuccessAfterTheTimeoutIsUndone(StoreUnderTest tck) throws Exception {
    ProcessScene scene = remote(tck, process -> credited(process, StepRetry.none()));
    scene.fails("UndoCredit", "not yet");
    OutboxRelay relay = loop(tck, scene);
    UUID id = scene.run("payment-1");
    scene.advance(LIMIT.plusSeconds(1));
    assertThat(scene.log(id)).contains("StepTimedOut Credit", "ProcessCompensating");
    assertThat(scene.calls).contains("UndoCredit");

    answer(tck, relay, scene.command(id, "Credit"));
    scene.works("UndoCredit");
    scene.advance(ProcessScene.UNDO_WAIT.plusSeconds(1));

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.log(id))
        .as("the undo that was under way may have come before it")
        .containsSubsequence(
            "LateEffect Credit",
            "CompensationCompleted Credit",
            "CompensationStarted Credit",
            "CompensationCompleted Credit");
    assertThat(scene.calls).endsWith("UndoCredit", "UndoCredit", "UndoDebit");
    assertThat(scene.store().queries().find(id).orElseThrow().summary().failureKind())
        .contains("STEP_TIMED_OUT");
  }

  @Test
  void aSuccessAfterTheUndoIsUndoneAgain(StoreUnderTest tck) throws Exception {
    ProcessScene scene = remote(tck, process -> credited(process, StepRetry.none()));
    OutboxRelay relay = loop(tck, scene);
    UUID id = scene.run("payment-1");
    scene.advance(LIMIT.plusSeconds(1));
    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(Collections.frequency(scene.calls, "UndoCredit")).isEqualTo(1);

    answer(tck, relay, scene.command(id, "Credit"));
    scene.runAll();

    assertThat(Collections.frequency(scene.calls, "UndoCredit")).isEqualTo(2);
    assertThat(scene.command(id, "Credit:undo:2")).isNotEqualTo(scene.command(id, "Credit:undo"));
    assertThat(scene.log(id)).endsWith("CompensationCompleted Credit");
    scene.endsAs(id, ProcessStatus.COMPENSATED);
  }

  @Test
  void aFailureAfterTheTimeoutLeavesNothingToUndo(StoreUnderTest tck) throws Exception {
    ProcessScene scene = remote(tck, process -> credited(process, StepRetry.of(1, LIMIT, LIMIT)));
    UUID id = scene.run("payment-1");
    scene.advance(LIMIT.plusSeconds(1));
    assertThat(failed(scene, id, "Credit")).isTrue();
    assertThat(failed(scene, id, "Credit:2")).isTrue();
    scene.runAll();

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.log(id)).contains("NotDone Credit");
    assertThat(scene.calls).endsWith("UndoDebit").doesNotContain("UndoCredit");
  }

  /** With handlers in this database there is no doubt: what timed out in the queue never runs. */
  @Test
  void aCommandThatTimedOutInTheQueueIsNeverHandled(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            ProcessScene.configuration(process -> credited(process, StepRetry.none())),
            ProcessScene::oneByOne,
            builder -> builder);
    UUID id = scene.start("payment-1");
    assertThat(scene.manager().runOnce()).isEqualTo(1);
    assertThat(scene.log(id)).endsWith("StepStarted Credit");

    scene.advance(LIMIT.plusSeconds(1));

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.effects()).containsExactly("Debit", "UndoDebit");
    assertThat(scene.calls).doesNotContain("Credit", "UndoCredit");
    assertThat(
            scene.commands().find(scene.command(id, "Credit")).orElseThrow().status().isFinished())
        .isTrue();
  }

  private static ProcessGraph credited(ProcessGraphBuilder process, StepRetry retry) {
    return process
        .startWith(DebitCommand.class)
        .withCompensation(UndoDebitCommand.class)
        .then(CreditCommand.class)
        .withCompensation(UndoCreditCommand.class)
        .withTimeout(LIMIT)
        .withRetry(retry)
        .then(NotifyCommand.class)
        .end();
  }

  /** Credits are done by another service. */
  private static ProcessScene remote(
      StoreUnderTest tck, Function<ProcessGraphBuilder, ProcessGraph> graph) throws Exception {
    return ProcessScene.of(
        tck,
        ProcessScene.configuration(graph),
        bus -> bus.send("Credit", QUEUE).replyTo(REPLIES).owner("bank"),
        builder -> builder);
  }

  private static boolean done(ProcessScene scene, UUID id, String key) {
    UUID command = scene.command(id, key);
    ProcessManager<Object> manager = scene.manager();
    return manager.handleReply(
        id, CommandReply.completed(command, command, Map.of("creditId", key)));
  }

  private static boolean failed(ProcessScene scene, UUID id, String key) {
    UUID command = scene.command(id, key);
    return scene.manager().handleReply(id, CommandReply.failed(command, command, "closed"));
  }

  /** The other service says that it has done it. */
  private static void answer(StoreUnderTest tck, OutboxRelay relay, UUID command) throws Exception {
    tck.append(
        Message.reply("CommandCompleted")
            .to(REPLIES)
            .key(command.toString())
            .json("{\"commandId\":\"%s\",\"data\":{\"creditId\":7}}".formatted(command))
            .build());
    Relays.drain(relay);
  }

  /** A relay that hands what is sent to the inbox of the same service. */
  private static OutboxRelay loop(StoreUnderTest tck, ProcessScene scene) throws Exception {
    Handlers<Object> handlers =
        scene
            .manager()
            .bus()
            .receive(
                Handlers.<Object>builder()
                    .onAny("effects", "effects", (message, context) -> {})
                    .onAny(QUEUE, "the other service", (message, context) -> {}),
                Map.of())
            .build();
    Inbox<Object> inbox =
        tck.closedAtEnd(
            Inbox.builder(tck.inbox(), handlers)
                .transactions(scene.commands().transactions())
                .build());
    return Relays.relay(tck, tck.store(), inbox.localSender(), Relays.options().withBreakAfter(0));
  }
}
