package io.postroad.tck.contract.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandOptions;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxOptions;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.process.ProcessStatus;
import io.postroad.spi.process.StoredProcess;
import io.postroad.store.Decision;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.command.Commands;
import io.postroad.tck.contract.process.ProcessScene.ConvertCommand;
import io.postroad.tck.contract.process.ProcessScene.CreditCommand;
import io.postroad.tck.contract.process.ProcessScene.DebitCommand;
import io.postroad.tck.contract.process.ProcessScene.NotifyCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoCreditCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoDebitCommand;
import io.postroad.tck.contract.scene.RecordingSender;
import io.postroad.tck.contract.scene.Relays;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A command that cannot be sent is a failure of its own step: the one before it was done. */
@StoreContract
@OrderedOnly
public final class ProcessSendContract {
  private static final String QUEUE = "APP.CMD.OTHER.Q";
  private static final String REPLIES = "APP.CMD.REPLY.Q";
  private static final Duration TIMEOUT = Duration.ofHours(1);

  @Test
  void aCommandThatIsTooLargeFailsItsOwnStepForGood(StoreUnderTest tck) throws Exception {
    ProcessScene scene = sending(tck, "Credit", 1_000);
    scene.when("Debit", context -> Map.of("account", "temporary".repeat(200)));

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.log(id))
        .containsExactly(
            "ProcessStarted",
            "StepStarted Debit",
            "StepCompleted Debit",
            "StepFailed Credit",
            "ProcessCompensating",
            "CompensationStarted Debit",
            "CompensationCompleted Debit",
            "ProcessCompensated");
    assertThat(scene.effects()).containsExactly("Debit", "UndoDebit");
    assertThat(scene.calls).as("each was tried once").containsExactly("Debit", "UndoDebit");
    assertThat(failure(scene, id)).contains("step Credit", "the limit is 1000");
  }

  @Test
  void aCommandThatCannotBeWrittenFailsItsOwnStepForGood(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .then(CreditCommand.class)
                    .withCompensation(UndoCreditCommand.class)
                    .withInput(data -> Map.of("account", new Unreadable()))
                    .end());

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.calls).containsExactly("Debit", "UndoDebit");
    assertThat(failure(scene, id)).contains("step Credit", "cannot be sent");
  }

  @Test
  void aBranchIsNotBegunBesideOneThatCannotBeSent(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .thenParallel()
                    .branch(branch -> branch.startWith(ConvertCommand.class))
                    .branch(
                        branch ->
                            branch
                                .startWith(CreditCommand.class)
                                .withInput(data -> Map.of("account", new Unreadable())))
                    .joinAt(NotifyCommand.class)
                    .end());

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.calls).containsExactly("Debit", "UndoDebit");
    assertThat(scene.log(id)).contains("StepFailed Credit").doesNotContain("StepCompleted Convert");
  }

  /** A value that cannot be written as JSON. */
  public static final class Unreadable {
    private final Iterator<String> names = Collections.emptyIterator();

    public String getName() {
      return names.next();
    }
  }

  @Test
  void anUndoThatIsTooLargeWaitsForAnOperator(StoreUnderTest tck) throws Exception {
    ProcessScene scene = sending(tck, "UndoDebit", 20);
    scene.fails("Credit", "closed");

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.FAILED);
    assertThat(scene.log(id)).contains("StepFailed Credit").endsWith("ProcessFailed");
    assertThat(scene.calls).containsExactly("Debit", "Credit");
    StoredProcess stored = scene.store().queries().find(id).orElseThrow();
    assertThat(stored.summary().failureKind()).contains("COMPENSATION_FAILED");
    assertThat(failure(scene, id)).contains("closed", "the limit is 20");
  }

  @Test
  void aStepWhoseMessageIsADeadLetterFailsForThatReason(StoreUnderTest tck) throws Exception {
    ProcessScene scene = sending(tck, "Credit", 1_000);
    UUID id = scene.run("payment-1");
    scene.endsAs(id, ProcessStatus.RUNNING);
    UUID command = scene.command(id, "Credit");

    refuseAll(tck);
    scene.runAll();

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.log(id))
        .containsExactly(
            "ProcessStarted",
            "StepStarted Debit",
            "StepCompleted Debit",
            "StepStarted Credit",
            "StepUndelivered Credit",
            "ProcessCompensating",
            "CompensationStarted Debit",
            "CompensationCompleted Debit",
            "ProcessCompensated");
    assertThat(scene.calls).containsExactly("Debit", "UndoDebit");
    assertThat(failure(scene, id))
        .contains("step Credit", "Undelivered", "dead letter " + command, "no such queue");
    assertThat(scene.manager().explain(id).orElseThrow().sentence())
        .contains("COMPENSATED", "dead letter " + command, "no such queue");
  }

  @Test
  void aStepThatIsDoneAfterItsDeadLetterWasReplayedIsUndone(StoreUnderTest tck) throws Exception {
    ProcessScene scene = creditUndone(tck);
    UUID id = scene.run("payment-1");
    UUID command = scene.command(id, "Credit");
    refuseAll(tck);
    scene.runAll();
    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.calls).as("it was not done").doesNotContain("UndoCredit");

    Decision decision = new Decision("operator", "the queue is there");
    assertThat(tck.store().deadLetters().replay(Set.of(command), decision)).contains(command);
    List<String> arrived = new CopyOnWriteArrayList<>();
    deliverAll(tck, scene, arrived);
    assertThat(arrived).as("the other service has it").contains("Credit");
    tck.append(
        Message.reply("CommandCompleted")
            .to(REPLIES)
            .key(command.toString())
            .json("{\"commandId\":\"%s\",\"data\":{}}".formatted(command))
            .build());
    deliverAll(tck, scene, arrived);
    scene.runAll();

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.log(id))
        .endsWith(
            "ProcessCompensated",
            "LateEffect Credit",
            "CompensationStarted Credit",
            "CompensationCompleted Credit");
    assertThat(scene.calls).contains("UndoCredit");
  }

  /** A node that starts later finds what a node wrote down that died before it could tell. */
  @Test
  void aCommandThatCannotBeDeliveredEndsOnANodeThatStartsLater(StoreUnderTest tck)
      throws Exception {
    ProcessScene scene = sending(tck, "Credit", 1_000);
    UUID id = scene.run("payment-1");
    refuseAll(tck);
    scene.endsAs(id, ProcessStatus.RUNNING);

    ProcessScene later = sending(tck, "Credit", 1_000);
    later.runAll();

    later.endsAs(id, ProcessStatus.COMPENSATED);
  }

  /** A node that stands still, or is dead on MongoDB, leaves a transaction open. */
  @Test
  void aHeldProcessKeepsNoOtherDeadlineWaiting(StoreUnderTest tck) throws Exception {
    ProcessScene scene = creditUndone(tck);
    UUID first = scene.run("a: before it");
    UUID held = scene.run("b: held");
    UUID last = scene.run("c: after it");
    UserTransaction holder = tck.begin();
    Processes.lock(scene.store(), holder.handle(), held);

    scene.advance(TIMEOUT.plusSeconds(1));

    assertThat(scene.log(first)).containsOnlyOnce("StepTimedOut Credit");
    assertThat(scene.log(last)).containsOnlyOnce("StepTimedOut Credit");
    assertThat(scene.log(held)).as("another has it").doesNotContain("StepTimedOut Credit");
    holder.rollback();
    scene.runAll();
    assertThat(scene.log(held)).containsOnlyOnce("StepTimedOut Credit");
  }

  @Test
  void aHeldProcessKeepsNoOtherUndeliveredCommandWaiting(StoreUnderTest tck) throws Exception {
    ProcessScene scene = creditUndone(tck);
    UUID held = scene.run("held");
    UUID other = scene.run("other");
    refuseAll(tck);
    UserTransaction holder = tck.begin();
    Processes.lock(scene.store(), holder.handle(), held);

    endsLater(scene, held, other, holder);
  }

  /** The other transaction is at the reply to the command. */
  @Test
  void aHeldCommandKeepsNoOtherUndeliveredCommandWaiting(StoreUnderTest tck) throws Exception {
    ProcessScene scene = creditUndone(tck);
    UUID held = scene.run("held");
    UUID other = scene.run("other");
    UUID command = scene.command(held, "Credit");
    refuseAll(tck);
    UserTransaction holder = tck.begin();
    assertThat(scene.commands().reply(holder.handle(), command, Commands.COMPLETED)).isPresent();

    endsLater(scene, held, other, holder);
  }

  /** The node finds the dead letter of the held process first, and looks back once a day. */
  private static void endsLater(ProcessScene scene, UUID held, UUID other, UserTransaction holder)
      throws Exception {
    scene.manager().start();
    Relays.eventually(() -> scene.endsAs(other, ProcessStatus.COMPENSATED));
    scene.endsAs(held, ProcessStatus.RUNNING);
    holder.rollback();
    Relays.eventually(() -> scene.endsAs(held, ProcessStatus.COMPENSATED));
    scene.manager().stop();
    assertThat(scene.log(held)).containsOnlyOnce("StepUndelivered Credit");
  }

  /** The broker refuses everything for good. */
  private static void refuseAll(StoreUnderTest tck) throws Exception {
    RecordingSender refusing =
        RecordingSender.answering(message -> SendOutcome.Rejected.forGood("no such queue"));
    Relays.drain(Relays.relay(tck, tck.store(), refusing, Relays.options().withBreakAfter(0)));
  }

  /** The other service takes commands; replies come to this one. */
  private static void deliverAll(StoreUnderTest tck, ProcessScene scene, List<String> arrived)
      throws Exception {
    Handlers<Object> handlers =
        scene
            .manager()
            .bus()
            .receive(
                Handlers.<Object>builder()
                    .onAny("effects", "effects", (message, context) -> {})
                    .onAny(QUEUE, "other", (message, context) -> arrived.add(message.type())),
                Map.of())
            .build();
    Inbox<Object> inbox =
        tck.closedAtEnd(
            Inbox.builder(tck.inbox(), handlers)
                .transactions(scene.commands().transactions())
                .build());
    Relays.drain(
        Relays.relay(tck, tck.store(), inbox.localSender(), Relays.options().withBreakAfter(0)));
  }

  private static ProcessScene creditUndone(StoreUnderTest tck) throws Exception {
    return ProcessScene.of(
        tck,
        ProcessScene.configuration(
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .then(CreditCommand.class)
                    .withCompensation(UndoCreditCommand.class)
                    .withTimeout(TIMEOUT)
                    .end()),
        bus ->
            bus.send("Credit", QUEUE)
                .replyTo(REPLIES)
                .owner("bank")
                .options(
                    CommandOptions.defaults()
                        .withName("node-1")
                        .withSweepEvery(Duration.ofMillis(20))
                        .withPurgeEvery(Duration.ofDays(1))),
        builder -> builder);
  }

  private static String failure(ProcessScene scene, UUID id) {
    return scene.store().queries().find(id).orElseThrow().summary().failure().orElseThrow();
  }

  /** Commands of this type go to another service, by an outbox that takes no more than so much. */
  private static ProcessScene sending(StoreUnderTest tck, String type, int maxBytes)
      throws Exception {
    Outbox<Object> outbox =
        Outbox.over(
            tck.store(),
            OutboxOptions.defaults().withMaxPayloadBytes(maxBytes),
            OutboxObserver.none());
    return ProcessScene.of(
        tck,
        ProcessScene.configuration(
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .then(CreditCommand.class)
                    .end()),
        bus -> bus.outbox(outbox).send(type, QUEUE).replyTo(REPLIES).owner("bank"),
        builder -> builder);
  }
}
